#pragma once

#include <cstdint>

namespace lacuna {

// The number of groups of `by` that hold `count`, the last one perhaps not full.
inline uint32_t divideUp(uint32_t count, uint32_t by) {
  return (count + by - 1) / by;
}

}  // namespace lacuna
