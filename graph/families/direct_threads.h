#pragma once
// Threads that read their taps straight from memory.

#include "graph/families/family.h"

namespace lacuna {

ThreadMapping directThreads(const StencilUse& use);

// Workgroups where each thread takes `columns` x `rows` pixels, one dilation apart.
std::array<uint32_t, 3> blockGroups(const StencilUse& use, Extent extent, int level);

// Taps that several pixels of a thread share are read once.
LevelCost directCost(const StencilUse& use, const LevelWork& work);

}  // namespace lacuna
