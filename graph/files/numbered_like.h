#pragma once
// Names of frames' files as other programs write them.

#include <string>

namespace lacuna {

// "; there is s/f_%04d.exr", if the name has a frame's number as other programs write it ($F4, @@@@, <f>,
// [0001-0004], 0001-0004, a single #, {frame}), or in another width, and numbered files are there; else "".
std::string numberedLike(const std::string& folder, const std::string& name);

}  // namespace lacuna
