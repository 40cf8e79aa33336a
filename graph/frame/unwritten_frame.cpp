#include "graph/frame/unwritten_frame.h"

#include <algorithm>

#include "graph/frame/barriers.h"

namespace lacuna {

Table<PassId, bool> passesForNextFrame(const Schedule& schedule) {
  Table<ResourceId, bool> isNeeded(schedule.resources.size());  // by later passes
  for (const ResourceId r : isNeeded.ids()) {
    isNeeded[r] = schedule.resources[r].persistent;
  }
  Table<PassId, bool> runs(schedule.passes.size(), false);
  for (size_t left = runs.size(); left > 0; --left) {
    const PassId pass(left - 1);
    const std::vector<Access>& accesses = schedule.passes[pass].accesses;
    runs[pass] = std::ranges::any_of(accesses, [&](const Access& access) {
      return access.kind != AccessKind::read && isNeeded[access.resource];
    });
    for (const Access& access : accesses) {
      if (runs[pass] && access.kind != AccessKind::write) {
        isNeeded[access.resource] = true;
      }
    }
  }
  return runs;
}

Schedule unwrittenFrame(Schedule schedule) {
  const Table<PassId, bool> runs = passesForNextFrame(schedule);
  for (const PassId pass : runs.ids()) {
    if (!runs[pass]) {
      schedule.passes[pass].accesses.clear();
    }
  }
  return placeBarriers(std::move(schedule));
}

}  // namespace lacuna
