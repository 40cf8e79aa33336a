#pragma once
// The largest block that this program allocates.

#include <cstddef>

namespace lacuna::test {

void forgetAllocations();
size_t largestAllocation();  // bytes, since then

}  // namespace lacuna::test
