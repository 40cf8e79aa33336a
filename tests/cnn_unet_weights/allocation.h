#pragma once
// Memory that this program allocates.

#include <cstddef>

namespace lacuna::test {

void forgetAllocations();
// Bytes since then: of the largest block, and of all blocks that existed at one time.
size_t largestAllocation();
size_t mostAllocated();

}  // namespace lacuna::test
