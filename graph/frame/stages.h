#pragma once
// The stages from a plan to a schedule, and the schedule of a frame that is not written.

#include "graph/config/diagnostics.h"
#include "graph/frame/arena_plan.h"
#include "graph/frame/frame_graph.h"
#include "graph/schedule/select.h"

namespace lacuna {

// Needs: a plan. Gives each value its place (buffer or image) and layout, and turns nodes into passes over
// resources, in a valid order. Guarantees: the same results to the last bit, whatever the plan, except for
// schedules whose names say otherwise.
// Values of sources and sinks that `given` names lie in the program's memory if they can, and are copied
// there otherwise. Reports images of formats that don't fit.
FrameGraph layout(Plan plan, const DeviceModel& device, Diagnostics& diagnostics,
                  const GivenPlaces& given = {});

// Needs: passes in any valid order. Guarantees: exact; a topological order over the declared accesses that
// greedily keeps the least memory live (the pass that frees most or allocates least goes first). If that
// needs more memory at the peak than the given order, the given order stays. Runs before lifetimes, which
// depend on it.
FrameGraph order(FrameGraph passes);

// Needs: passes in their order. Gives each resource its memory (arena_plan.h) and places barriers
// (barriers.h), with the device's requirements for each resource, or without a device with nominal sizes and
// alignments.
FrameGraph place(FrameGraph passes, MemoryNeeds needs = {});

// An error: the schedule takes more bytes than `most`. `noTiles`: why the picture isn't split, either.
void reportMemory(const FrameGraph& schedule, uint64_t most, const std::string& noTiles,
                  Diagnostics& diagnostics);

// Host memory for a frame's uploads and downloads.
uint64_t stagingBytes(const FrameGraph& schedule);

// Needs: ordered passes. Guarantees: lifetimes[r] spans the first to the last pass that touches r; persistent
// resources span the whole frame. A resource that no pass touches has no lifetime, persistent or not.
FrameGraph lifetimes(FrameGraph schedule);

// The resources that live at a pass; lifetimes must be there.
std::vector<ResourceId> liveAt(const FrameGraph& schedule, PassId pass);

// Bytes live at each pass; the maximum is the floor of any arena.
Table<PassId, uint64_t> liveBytes(const FrameGraph& schedule);

// The passes that run in a frame that no sink writes, such as one of a warm-up: those that lead to the next
// frame's persistent resources. Everything else (downloads, filters behind the feedback, uploads that only
// those read) is omitted. A pass may leave parts of its output unchanged, so all earlier writers of needed
// values are needed.
Table<PassId, bool> passesForNextFrame(const FrameGraph& schedule);

// The schedule of such a frame: the other passes keep their places and access nothing, and barriers are
// placed again. Needs an arena plan. Every frame waits for the whole previous one, so frames of both kinds
// may follow each other in any order.
FrameGraph unwrittenFrame(FrameGraph schedule);

}  // namespace lacuna
