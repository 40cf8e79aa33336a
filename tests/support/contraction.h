#pragma once

#include <utility>

#include "graph/shader/compile.h"

namespace lacuna::test {

// Results of float arithmetic without the decoration, and decorations on it in all.
std::pair<int, int> contraction(const SpirvWords& words);

}  // namespace lacuna::test
