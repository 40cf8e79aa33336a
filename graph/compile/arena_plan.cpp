// Greedy by size, best fit: Pisarchyk and Lee 2020, Efficient Memory Management for Deep Neural Net
// Inference (section 5.3, "greedy by size for offset calculation"). We differ in that several arenas are
// packed at once and that every offset keeps its resource's alignment.

#include "graph/compile/arena_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "graph/compile/lifetime.h"

namespace lacuna {
namespace {

uint64_t alignUp(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

class Packer {
 public:
  Packer(Schedule& schedule, bool alias) : schedule_(schedule), alias_(alias) {}

  void place(int resource) {
    Placement& placement = schedule_.placements[resource];
    placement.offset = bestOffset(placement, neighbours(resource));
    placed_.push_back(resource);
  }

 private:
  bool mayShare(int a, int b) const {
    const Resource& first = schedule_.resources[a];
    const Resource& second = schedule_.resources[b];
    if (!alias_ || first.persistent || second.persistent)
      return false;
    const Lifetime lifeA = schedule_.lifetimes[a], lifeB = schedule_.lifetimes[b];
    return lifeA.last < lifeB.first || lifeB.last < lifeA.first;
  }

  // What is placed already and must not be overlapped, by ascending offset.
  std::vector<Placement> neighbours(int resource) const {
    std::vector<Placement> result;
    for (int other : placed_) {
      const Placement& placement = schedule_.placements[other];
      if (placement.arena == schedule_.placements[resource].arena && !mayShare(resource, other))
        result.push_back(placement);
    }
    std::sort(result.begin(), result.end(),
              [](const Placement& a, const Placement& b) { return a.offset < b.offset; });
    return result;
  }

  // The smallest gap that holds it, or the end.
  static uint64_t bestOffset(const Placement& wanted, const std::vector<Placement>& taken) {
    uint64_t best = 0, bestWaste = std::numeric_limits<uint64_t>::max(), end = 0;
    for (const Placement& next : taken) {
      const uint64_t offset = alignUp(end, wanted.alignment);
      if (offset + wanted.bytes <= next.offset && next.offset - end - wanted.bytes < bestWaste) {
        best = offset;
        bestWaste = next.offset - end - wanted.bytes;
      }
      end = std::max(end, next.offset + next.bytes);
    }
    return bestWaste < std::numeric_limits<uint64_t>::max() ? best : alignUp(end, wanted.alignment);
  }

  Schedule& schedule_;
  bool alias_;
  std::vector<int> placed_;
};

}  // namespace

Schedule planArena(Schedule schedule, const MemoryNeeds& needs, bool alias) {
  if (schedule.lifetimes.size() != schedule.resources.size())
    schedule = lifetimes(std::move(schedule));
  schedule.placements.assign(schedule.resources.size(), Placement{});
  schedule.arenaBytes = schedule.unaliasedBytes = 0;

  std::vector<int> bySize;
  for (size_t r = 0; r < schedule.resources.size(); ++r) {
    if (schedule.lifetimes[r].first < 0)
      continue;
    const Resource& resource = schedule.resources[r];
    const MemoryNeed need = needs ? needs(resource) : MemoryNeed{resource.bytes, 256, 0};
    schedule.placements[r] = {0, need.bytes, std::max<uint64_t>(need.alignment, 1), need.arena};
    bySize.push_back(static_cast<int>(r));
  }
  std::stable_sort(bySize.begin(), bySize.end(),
                   [&](int a, int b) { return schedule.placements[a].bytes > schedule.placements[b].bytes; });

  Packer packer(schedule, alias);
  std::map<int, uint64_t> arenaEnds;
  for (int r : bySize) {
    packer.place(r);
    const Placement& placement = schedule.placements[r];
    uint64_t& end = arenaEnds[placement.arena];
    end = std::max(end, placement.offset + placement.bytes);
    schedule.unaliasedBytes += alignUp(placement.bytes, placement.alignment);
  }
  for (const auto& [arena, end] : arenaEnds)
    schedule.arenaBytes += end;
  return schedule;
}

}  // namespace lacuna
