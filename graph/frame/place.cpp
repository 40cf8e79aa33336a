#include "graph/frame/place.h"

#include <fmt/format.h>

#include "graph/frame/barriers.h"
#include "graph/frame/lifetime.h"
#include "graph/frame/limits.h"

namespace lacuna {

Schedule place(OrderedPasses passes, MemoryNeeds needs) {
  return placeBarriers(planArena(lifetimes({std::move(passes)}), std::move(needs)));
}

void reportMemory(const Schedule& schedule, uint64_t most, Diagnostics& diagnostics) {
  if (most == 0 || schedule.arenaBytes <= most) {
    return;
  }
  diagnostics.error(
      {},
      fmt::format("the graph takes {} of the device's memory, and may take {}",
                  humanBytes(schedule.arenaBytes), humanBytes(most)),
      fmt::format("pass {} needs the most, {}; images of fewer pixels, fewer levels or precision f16 "
                  "need less",
                  schedule.passes[schedule.largestLivePass].name, humanBytes(schedule.largestLiveBytes)));
}

}  // namespace lacuna
