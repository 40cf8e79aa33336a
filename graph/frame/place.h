#pragma once
// Needs: passes in their order. Gives each resource its memory (arena_plan.h) and places what passes wait for
// (barriers.h), with what the device asks for each resource, or without one with nominal sizes and
// alignments.

#include "graph/config/diagnostics.h"
#include "graph/frame/arena_plan.h"

namespace lacuna {

Schedule place(OrderedPasses passes, MemoryNeeds needs = {});

// An error where a schedule takes more bytes than `most`; 0: any.
void reportMemory(const Schedule& schedule, uint64_t most, Diagnostics& diagnostics);

}  // namespace lacuna
