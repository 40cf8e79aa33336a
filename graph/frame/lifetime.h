#pragma once
// Needs: ordered passes. Guarantees: lifetimes[r] spans the first to the last pass that touches r;
// persistent resources span the whole frame. What no pass touches has no lifetime, persistent or not.

#include "graph/frame/schedule.h"

namespace lacuna {

Schedule lifetimes(Schedule schedule);

// The resources that live at a pass; lifetimes must be there.
std::vector<ResourceId> liveAt(const Schedule& schedule, PassId pass);

// Bytes live at each pass; the maximum is the floor of any arena.
Table<PassId, uint64_t> liveBytes(const Schedule& schedule);

}  // namespace lacuna
