#pragma once
// The layers of an OpenEXR file that users name for `lacuna denoise`.

#include <map>
#include <string>
#include <vector>

namespace lacuna {

// Layers by plane, from words for -p such as i-file:in:depth=LAYER; other words are ignored.
std::map<std::string, std::string> namedLayers(const std::vector<std::string>& parameters);

}  // namespace lacuna
