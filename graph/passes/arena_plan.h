#pragma once
// Needs: lifetimes. Guarantees: resources whose lifetimes overlap never overlap in memory; offsets are
// aligned; persistent ones never alias; what no pass uses gets no memory (a placement of 0 bytes). Offsets
// count from the start of their own arena; arenaBytes is the sum over arenas, largestLiveBytes what lives
// together at largestLivePass. Sizes and alignments come from the device where there is one (`needs`), else
// from Resource::bytes and an alignment of 256.

#include <functional>

#include "graph/passes/schedule.h"

namespace lacuna {

struct MemoryNeed {
  uint64_t bytes = 0, alignment = 1;
  int arena = 0;       // resources of different arenas never share memory
  uint64_t chunk = 0;  // bytes of one allocation of the arena, the same for all of it: nothing crosses a
                       // multiple of it. 0: one allocation holds all
};
using MemoryNeeds = std::function<MemoryNeed(const Resource& resource)>;

// `alias` false: every resource gets memory of its own (for debugging and to compare).
Schedule planArena(Schedule schedule, const MemoryNeeds& needs = {}, bool alias = true);

}  // namespace lacuna
