// Offsets are given one resource at a time, each in a gap between those already placed that live at the same
// time: Pisarchyk and Lee 2020, Efficient Memory Management for Deep Neural Net Inference (section 5,
// "offset calculation"), by size. We differ: several orders are tried, with best fit and lowest fit, and the
// best is improved by moving single resources to the front, until the largest set of live resources is
// reached.

#include "graph/frame/arena_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "graph/frame/stages.h"

namespace lacuna {
namespace {

uint64_t alignUp(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

constexpr size_t beyondLast = std::numeric_limits<int>::max();

// A resource in its arena. Never aliased: alive from the first pass to beyond the last.
struct Item {
  ResourceId resource;
  uint64_t bytes = 0, alignment = 1;
  size_t first = 0, last = 0;  // passes, inclusive

  bool meets(const Item& other) const { return first <= other.last && other.first <= last; }
  double length() const { return static_cast<double>(last - first); }
  // The product of its size in the arena and its lifetime.
  double area() const { return static_cast<double>(bytes) * (1.0 + length()); }
};

enum class Fit { best, lowest };

struct Packing {
  std::vector<uint64_t> offsets;  // by item
  uint64_t end = std::numeric_limits<uint64_t>::max();
};

using Order = std::vector<size_t>;  // of items

class Packer {
 public:
  // Nothing crosses a multiple of `chunk`, where that is not 0.
  Packer(std::vector<Item> items, uint64_t chunk) : items_(std::move(items)), chunk_(chunk) {}

  Packing pack(const Order& order, Fit fit) const {
    Packing packing;
    packing.offsets.resize(items_.size());
    packing.end = 0;
    Order placed;  // by ascending offset
    for (const size_t item : order) {
      const uint64_t offset = place(item, packing.offsets, placed, fit);
      packing.offsets[item] = offset;
      packing.end = std::max(packing.end, offset + items_[item].bytes);
      placed.insert(
          std::ranges::upper_bound(placed, offset, {}, [&](size_t other) { return packing.offsets[other]; }),
          item);
    }
    return packing;
  }

  // Orders by falling size, area or length of life, and by rising first pass; equal items keep the given
  // order.
  std::vector<Order> orders() const {
    Order given(items_.size());
    std::iota(given.begin(), given.end(), size_t{0});
    const auto sorted = [&](const auto& key) {
      Order order = given;
      std::ranges::stable_sort(order, [&](size_t a, size_t b) { return key(items_[a]) > key(items_[b]); });
      return order;
    };
    return {sorted([](const Item& i) { return static_cast<double>(i.bytes); }),
            sorted([](const Item& i) { return i.area(); }), sorted([](const Item& i) { return i.length(); }),
            sorted([](const Item& i) { return -static_cast<double>(i.first); })};
  }

  // A lower bound of all packings: the largest sum of bytes that are alive together. Checking at the starts
  // of lifetimes suffices.
  uint64_t floor() const {
    uint64_t most = 0;
    for (const Item& start : items_) {
      uint64_t live = 0;
      for (const Item& item : items_)
        if (item.first <= start.first && start.first <= item.last)
          live += item.bytes;
      most = std::max(most, live);
    }
    return most;
  }

  const std::vector<Item>& items() const { return items_; }

 private:
  uint64_t place(size_t item, const std::vector<uint64_t>& offsets, const Order& placed, Fit fit) const {
    const Item& wanted = items_[item];
    uint64_t best = 0, bestWaste = std::numeric_limits<uint64_t>::max(), end = 0;
    for (const size_t other : placed) {
      if (!wanted.meets(items_[other]))
        continue;
      const uint64_t offset = startAt(end, wanted), next = offsets[other];
      if (offset + wanted.bytes <= next) {
        const uint64_t waste = next - end - wanted.bytes;
        if (fit == Fit::lowest)
          return offset;
        if (waste < bestWaste) {
          best = offset;
          bestWaste = waste;
        }
      }
      end = std::max(end, next + items_[other].bytes);
    }
    return bestWaste < std::numeric_limits<uint64_t>::max() ? best : startAt(end, wanted);
  }

  // The first possible offset from `end` on.
  uint64_t startAt(uint64_t end, const Item& wanted) const {
    const uint64_t offset = alignUp(end, wanted.alignment);
    const bool crosses = chunk_ > 0 && wanted.bytes > 0 && wanted.bytes <= chunk_ &&
                         offset / chunk_ != (offset + wanted.bytes - 1) / chunk_;
    return crosses ? alignUp(alignUp(offset, chunk_), wanted.alignment) : offset;
  }

  std::vector<Item> items_;
  uint64_t chunk_;
};

// Moves the topmost item, whose place sets the size, or another one towards the front: tries without a gain
// are dropped. The same graph always gets the same plan.
Packing improve(const Packer& packer, Order order, Fit fit, Packing best, uint64_t floor) {
  constexpr int tries = 300;
  uint32_t random = 1;
  const auto below = [&random](size_t bound) {
    random = random * 1664525U + 1013904223U;  // Numerical Recipes, 2nd edition, section 7.1
    return static_cast<size_t>(random >> 8U) % bound;
  };
  for (int i = 0; i < tries && best.end > floor; ++i) {
    const auto top = std::ranges::find_if(
        order, [&](size_t item) { return best.offsets[item] + packer.items()[item].bytes == best.end; });
    const size_t from = i % 2 == 0 ? static_cast<size_t>(top - order.begin()) : below(order.size());
    const size_t to = below(from + 1);
    Order moved = order;
    std::rotate(moved.begin() + static_cast<std::ptrdiff_t>(to),
                moved.begin() + static_cast<std::ptrdiff_t>(from),
                moved.begin() + static_cast<std::ptrdiff_t>(from) + 1);
    Packing packing = packer.pack(moved, fit);
    if (packing.end <= best.end) {
      best = std::move(packing);
      order = std::move(moved);
    }
  }
  return best;
}

Packing packBest(const Packer& packer) {
  const uint64_t floor = packer.floor();
  Packing best;
  Order bestOrder;
  Fit bestFit = Fit::best;
  for (const Order& order : packer.orders()) {
    for (const Fit fit : {Fit::best, Fit::lowest}) {
      Packing packing = packer.pack(order, fit);
      if (packing.end < best.end) {
        best = std::move(packing);
        bestOrder = order;
        bestFit = fit;
      }
      if (best.end == floor)
        return best;
    }
  }
  return improve(packer, bestOrder, bestFit, std::move(best), floor);
}

// The pass with the most bytes alive, as they are placed.
void findLargestLive(FrameGraph& schedule) {
  for (const PassId pass : schedule.passes.ids()) {
    uint64_t live = 0;
    for (const ResourceId r : liveAt(schedule, pass))
      live += schedule.placements[r].bytes;
    if (live > schedule.largestLiveBytes) {
      schedule.largestLiveBytes = live;
      schedule.largestLivePass = pass;
    }
  }
}

}  // namespace

FrameGraph planArena(FrameGraph schedule, MemoryNeeds needs, bool alias) {
  if (schedule.lifetimes.size() != schedule.resources.size())
    schedule = lifetimes(std::move(schedule));
  schedule.placements = Table<ResourceId, Placement>(schedule.resources.size());
  schedule.arenaBytes = schedule.unaliasedBytes = schedule.largestLiveBytes = 0;
  schedule.largestLivePass = {};

  std::map<int, std::vector<Item>> arenas;
  for (const ResourceId r : schedule.resources.ids()) {
    const Lifetime life = schedule.lifetimes[r];
    const Resource& resource = schedule.resources[r];
    if (!life.first || !resource.given.empty())
      continue;
    const MemoryNeed need = needs.resources.empty() ? MemoryNeed{resource.bytes, 256, 0} : needs.resources[r];
    Placement& placement = schedule.placements[r];
    placement = {0, need.bytes, std::max<uint64_t>(need.alignment, 1), need.arena};
    arenas[need.arena].push_back({r, placement.bytes, placement.alignment, alias ? life.first.index() : 0,
                                  alias ? life.last.index() : beyondLast});
    schedule.unaliasedBytes += alignUp(placement.bytes, placement.alignment);
  }
  for (auto& [arena, items] : arenas) {
    const Packer packer(std::move(items), needs.arenas[static_cast<size_t>(arena)].chunk);
    const Packing packing = packBest(packer);
    for (size_t i = 0; i < packing.offsets.size(); ++i)
      schedule.placements[packer.items()[i].resource].offset = packing.offsets[i];
    schedule.arenaBytes += packing.end;
  }
  schedule.arenas = std::move(needs.arenas);
  findLargestLive(schedule);
  return schedule;
}

}  // namespace lacuna
