#pragma once
// Needs: passes in their order. Gives each resource its memory (arena_plan.h) and places barriers
// (barriers.h), with the device's requirements for each resource, or without a device with nominal sizes and
// alignments.

#include "graph/config/diagnostics.h"
#include "graph/frame/arena_plan.h"
#include "graph/frame/schedule.h"

namespace lacuna {

Schedule place(OrderedPasses passes, MemoryNeeds needs = {});

// An error: the schedule takes more bytes than `most`. `noTiles`: why the picture isn't split, either.
void reportMemory(const Schedule& schedule, uint64_t most, const std::string& noTiles,
                  Diagnostics& diagnostics);

// Host memory for a frame's uploads and downloads.
uint64_t stagingBytes(const Schedule& schedule);

// Needs: ordered passes. Guarantees: lifetimes[r] spans the first to the last pass that touches r; persistent
// resources span the whole frame. A resource that no pass touches has no lifetime, persistent or not.
Schedule lifetimes(Schedule schedule);

// The resources that live at a pass; lifetimes must be there.
std::vector<ResourceId> liveAt(const Schedule& schedule, PassId pass);

// Bytes live at each pass; the maximum is the floor of any arena.
Table<PassId, uint64_t> liveBytes(const Schedule& schedule);

}  // namespace lacuna
