#include "graph/frame/unwritten_frame.h"

#include <algorithm>

#include "graph/frame/barriers.h"

namespace lacuna {

std::vector<bool> passesForNextFrame(const Schedule& schedule) {
  std::vector<bool> isNeeded(schedule.resources.size());  // by what comes later
  for (size_t r = 0; r < isNeeded.size(); ++r) {
    isNeeded[r] = schedule.resources[r].persistent;
  }
  std::vector<bool> runs(schedule.passes.size(), false);
  for (size_t p = runs.size(); p-- > 0;) {
    const std::vector<Access>& accesses = schedule.passes[p].accesses;
    runs[p] = std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
      return access.kind != AccessKind::read && isNeeded[static_cast<size_t>(access.resource)];
    });
    for (const Access& access : accesses) {
      if (runs[p] && access.kind != AccessKind::write) {
        isNeeded[static_cast<size_t>(access.resource)] = true;
      }
    }
  }
  return runs;
}

Schedule unwrittenFrame(Schedule schedule) {
  const std::vector<bool> runs = passesForNextFrame(schedule);
  for (size_t p = 0; p < runs.size(); ++p) {
    if (!runs[p]) {
      schedule.passes[p].accesses.clear();
    }
  }
  return placeBarriers(std::move(schedule));
}

}  // namespace lacuna
