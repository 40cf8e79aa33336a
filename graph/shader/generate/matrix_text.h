#pragma once
// The text before a shader that includes shared/matrix.glsl: extensions, and macros that select its
// implementation.

#include <set>
#include <string>

#include "graph/passes/pass.h"

namespace lacuna {

std::string matrixExtensions(const MatrixUse& use);

// Names of the macros, whichever exist.
const std::set<std::string>& matrixMacros();

}  // namespace lacuna
