#pragma once
// Needs: lifetimes. Guarantees: resources whose lifetimes overlap never overlap in memory; offsets are
// aligned; persistent ones never alias; resources without passes, and those whose memory a program gives, get
// none (a placement of 0 bytes).
// Offsets count from the start of their own arena; arenaBytes is the sum over arenas, largestLiveBytes the
// size of what lives at largestLivePass. Sizes and alignments are `needs`, else Resource::bytes and an
// alignment of 256.

#include <vector>

#include "graph/frame/frame_graph.h"

namespace lacuna {

struct MemoryNeed {
  uint64_t bytes = 0, alignment = 1;
  int arena = 0;  // resources of different arenas never share memory
};

// A device's requirements, as data (vk/memory.h).
struct MemoryNeeds {
  Table<ResourceId, MemoryNeed> resources;  // if empty, nominal ones for all
  std::vector<ArenaKind> arenas = {{}};
};

// Without `alias` every resource gets its own memory (for debugging and comparison).
FrameGraph planArena(FrameGraph schedule, MemoryNeeds needs = {}, bool alias = true);

}  // namespace lacuna
