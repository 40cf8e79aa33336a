#pragma once
// Counts what shared memory must serve one after the other: a simulation, to check bank_pattern.h against.

#include <cstdint>
#include <span>

#include "graph/pattern/bank_pattern.h"

namespace lacuna {

// How many times shared memory is asked for one load of a subgroup, where `cells` are the cells that its
// invocations read: `requests`, and how few it could be. Memory serves as many invocations at once as banks
// hold cells, at most all of them; invocations that want the same word share it.
struct BankCost {
  uint32_t requests = 0;
  uint32_t least = 0;
  uint32_t conflicts() const { return requests - least; }
};
BankCost bankCost(const SharedMemory& memory, uint32_t elementBits, std::span<const uint32_t> cells);

}  // namespace lacuna
