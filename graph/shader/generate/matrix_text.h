#pragma once
// What stands before a shader that includes shared/matrix.glsl: extensions, and macros that say which of its
// implementations it is.

#include <set>
#include <string>

#include "graph/passes/pass.h"

namespace lacuna {

std::string matrixExtensions(const MatrixUse& use);

// Names of the macros, whichever of them are there.
const std::set<std::string>& matrixMacros();

}  // namespace lacuna
