#include "graph/frame/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/frame/barriers.h"
#include "graph/frame/limits.h"

namespace lacuna {

FrameGraph place(FrameGraph passes, MemoryNeeds needs) {
  return placeBarriers(planArena(lifetimes(std::move(passes)), std::move(needs)));
}

void reportMemory(const FrameGraph& schedule, uint64_t most, const std::string& noTiles,
                  Diagnostics& diagnostics) {
  diagnostics.error(
      {},
      fmt::format("the graph takes {} of the device's memory, but may take {}; it can't run in tiles: {}",
                  humanBytes(schedule.arenaBytes), humanBytes(most), noTiles),
      fmt::format("pass {} needs the most, {}; images of fewer pixels, fewer levels or precision f16 "
                  "need less",
                  schedule.passes[schedule.largestLivePass].name, humanBytes(schedule.largestLiveBytes)));
}

uint64_t stagingBytes(const FrameGraph& schedule) {
  uint64_t bytes = 0;
  for (const Pass& pass : schedule.passes)
    if (pass.kind == PassKind::upload || pass.kind == PassKind::download)
      bytes += schedule.resources[pass.accesses.front().resource].bytes;
  return bytes;
}

FrameGraph lifetimes(FrameGraph schedule) {
  schedule.lifetimes = Table<ResourceId, Lifetime>(schedule.resources.size());
  for (const PassId pass : schedule.passes.ids()) {
    for (const Access& access : schedule.passes[pass].accesses) {
      Lifetime& life = schedule.lifetimes[access.resource];
      if (!life.first)
        life.first = pass;
      life.last = pass;
    }
  }
  for (const ResourceId r : schedule.resources.ids())
    if (schedule.resources[r].persistent && schedule.lifetimes[r].first)
      schedule.lifetimes[r] = {PassId(0), PassId(schedule.passes.size() - 1)};
  return schedule;
}

std::vector<ResourceId> liveAt(const FrameGraph& schedule, PassId pass) {
  std::vector<ResourceId> result;
  for (const ResourceId r : schedule.lifetimes.ids()) {
    const Lifetime life = schedule.lifetimes[r];
    if (life.first && life.first <= pass && pass <= life.last)
      result.push_back(r);
  }
  return result;
}

Table<PassId, uint64_t> liveBytes(const FrameGraph& schedule) {
  Table<PassId, uint64_t> live(schedule.passes.size(), 0);
  for (const PassId pass : live.ids())
    for (const ResourceId r : liveAt(schedule, pass))
      live[pass] += schedule.resources[r].bytes;
  return live;
}

Table<PassId, bool> passesForNextFrame(const FrameGraph& schedule) {
  Table<ResourceId, bool> isNeeded(schedule.resources.size());  // by later passes
  for (const ResourceId r : isNeeded.ids())
    isNeeded[r] = schedule.resources[r].persistent;
  Table<PassId, bool> runs(schedule.passes.size(), false);
  for (size_t left = runs.size(); left > 0; --left) {
    const PassId pass(left - 1);
    const std::vector<Access>& accesses = schedule.passes[pass].accesses;
    runs[pass] = std::ranges::any_of(accesses, [&](const Access& access) {
      return access.kind != AccessKind::read && isNeeded[access.resource];
    });
    for (const Access& access : accesses)
      if (runs[pass] && access.kind != AccessKind::write)
        isNeeded[access.resource] = true;
  }
  return runs;
}

FrameGraph unwrittenFrame(FrameGraph schedule) {
  const Table<PassId, bool> runs = passesForNextFrame(schedule);
  for (const PassId pass : runs.ids())
    if (!runs[pass])
      schedule.passes[pass].accesses.clear();
  return placeBarriers(std::move(schedule));
}

}  // namespace lacuna
