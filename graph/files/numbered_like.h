#pragma once
// Texts about missing files of frames.

#include <functional>
#include <string>

#include "graph/files/frame_set.h"

namespace lacuna {

// "; there is s/f_%04d.exr", if the name has a frame's number as other programs write it ($F4, @@@@, <f>,
// [0001-0004], 0001-0004, a single #, {frame}), or in another width, and numbered files are there; else "".
std::string numberedLike(const std::string& folder, const std::string& name);

// "i-png:01 has no files for 2 of 5 frames: a_3.png, a_4.png".
std::string lacksFiles(const std::string& who, const FrameSet& lacking, size_t frames,
                       const std::function<std::string(int)>& nameOf);
constexpr const char* helpsMissing =
    "--missing skip leaves such frames out, --missing hold shows the last one again";

}  // namespace lacuna
