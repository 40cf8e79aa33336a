#pragma once

#include <string>

#include "tests/support/memory_graph.h"

namespace lacuna::test {

// "" where equal; else how many components differ and where the first one is. NaNs are equal whatever their
// sign and payload: the driver chooses between two operands' NaNs.
std::string differences(const Image& a, const Image& b);

}  // namespace lacuna::test
