#pragma once
// Words of GLSL 4.5, as far as compute shaders have them: for suggestions, and for what bodies may not take.

#include <string>
#include <vector>

namespace lacuna {

const std::vector<std::string>& builtInFunctions();
const std::vector<std::string>& glslTypes();
const std::vector<std::string>& glslKeywords();
const std::vector<std::string>& kernelVariables();  // gl_ names

}  // namespace lacuna
