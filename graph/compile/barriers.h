#pragma once
// Needs: an arena plan. Guarantees: every read after write, write after read and write after write over the
// same resource, or over memory that two resources share, is ordered by a barrier, and no barrier is
// placed that an earlier one already covers. Barriers stand as late as possible, so several hazards share
// one: their number is the least (each hazard is an interval of passes, each barrier a point in it).
//
// What a hazard promises: all earlier accesses of (fromPoint, fromKind) to the resource's bytes, under
// whatever name, finish and are available before all later ones of (toPoint, toKind). A recorder may order
// more (one global memory barrier for all hazards of a place), never less. `from` is the last pass that is
// waited for, also where it used the memory under another resource's name.
//
// Frames: each is a submit of its own that the host waits for. That fence orders everything before the next
// frame's writes, but makes nothing visible to its reads: so a persistent resource that is read before it
// is written gets a hazard from the frame before (from = -1). Before the first frame the recorder zeroes
// persistent resources and puts persistent images into their layout. Staging memory is no resource: its
// host side is the recorder's to order.
//
// Images that are not persistent are discarded at their first use in every frame. Hazards of one image at
// one place that have `discard` set are one layout transition, from the union of what they wait for;
// from = -1 and discard: nothing in this frame is to be waited for.

#include <string>
#include <vector>

#include "graph/compile/schedule.h"

namespace lacuna {

Schedule placeBarriers(Schedule schedule);

// The independent check, written from the definition of happens-before and not from placeBarriers:
// all pairs of passes (two frames in a row) whose declared accesses conflict in memory must be separated by
// barriers that name both sides' accesses, at once or through a chain. Also: reads of what nobody wrote,
// images used without a discard, and discards of what is in use. Returns one line a violation; empty
// means correct. It trusts a hazard with its own resource's bytes alone, which is less than Vulkan promises.
std::vector<std::string> checkBarriers(const Schedule& schedule);

}  // namespace lacuna
