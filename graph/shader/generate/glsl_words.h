#pragma once
// Words of GLSL 4.5 for compute shaders: for suggestions, and for names that bodies must not take.

#include <string>
#include <vector>

namespace lacuna {

const std::vector<std::string>& builtInFunctions();
const std::vector<std::string>& glslTypes();
const std::vector<std::string>& glslKeywords();
const std::vector<std::string>& kernelVariables();  // gl_ names

}  // namespace lacuna
