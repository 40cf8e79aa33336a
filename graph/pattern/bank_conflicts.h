#pragma once
// Counts shared-memory accesses that must be served one by one: a simulation, to check bank_pattern.h.

#include <cstdint>
#include <span>

#include "graph/pattern/bank_pattern.h"

namespace lacuna {

// The number of shared-memory requests for one load of a subgroup whose invocations read `cells`: `requests`,
// and the smallest possible number. Memory serves at once as many invocations as the banks hold cells, at
// most all of them; invocations that want the same word share it.
struct BankCost {
  uint32_t requests = 0;
  uint32_t least = 0;
  uint32_t conflicts() const { return requests - least; }
};
BankCost bankCost(const SharedMemory& memory, uint32_t elementBits, std::span<const uint32_t> cells);

}  // namespace lacuna
