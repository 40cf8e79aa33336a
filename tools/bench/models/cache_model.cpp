#include "tools/bench/models/cache_model.h"

#include <algorithm>
#include <queue>
#include <random>

namespace lacuna {
namespace {

constexpr uint32_t lineBytes = 128;
constexpr uint64_t sectorsPerLine = 4;

// Images may be powers of two apart; caches spread lines by a hash so that these don't fall into one
// set.
uint64_t spread(uint64_t line) {
  return (line * 0x9e3779b97f4a7c15U) >> 32U;
}

// Clocks: Jia, Maggioni, Smith, Scarpazza, Dissecting the NVidia Turing T4 GPU via Microbenchmarking, 2019.
constexpr double firstLatency = 32, secondLatency = 188, memoryLatency = 616;

// A unit that serves requests one after the other, at a rate a clock.
struct Server {
  double rate = 1.0;
  double free = 0.0;
  double busy = 0.0;
  // The time at which `amount`, which arrives at `time`, is served.
  double serve(double time, double amount) {
    busy += amount / rate;
    return free = std::max(free, time) + amount / rate;
  }
};

struct Multiprocessor {
  SectorCache cache;
  Server fetch;           // texels
  Server compute;         // clocks
  double answered = 0.0;  // busy until then, in the order of the requests
};

// A running workgroup.
struct Resident {
  double time = 0.0;     // when it is ready for its next step
  double arrival = 0.0;  // of the last of its loads
  uint32_t place = 0;
  uint32_t group = 0;
  uint32_t step = 0;
  enum class Phase { fetch, ask, compute } phase = Phase::fetch;
  // The earliest request first; among equal ones the oldest.
  bool operator<(const Resident& other) const {
    return time != other.time ? time > other.time : group > other.group;
  }
};

// Sectors.
struct Asked {
  double second = 0, memory = 0;
};

class Simulation {
 public:
  Simulation(const GpuModel& gpu, const LevelLoads& loads, const CacheModelOptions& options)
      : gpu_(gpu),
        loads_(loads),
        options_(options),
        secondCache_(gpu.second.bytes, gpu.second.ways),
        second_{gpu.secondGBs / gpu.clockGHz / sectorBytes},
        memory_{gpu.memoryGBs / gpu.clockGHz / sectorBytes},
        random_(options.seed) {
    places_ = std::clamp(gpu.threads / loads.threads(), 1U, gpu.groups);
    steps_ = GroupLoads::steps(loads);
    together_ = loads.shares() || loads.isUpward() ? steps_ : 2 * loads.radius + 1;
    const uint32_t taps = (2 * loads.radius + 1) * (2 * loads.radius + 1);
    const double shared = loads.shares() ? taps * loads.bytesOfTap() / gpu.sharedBytes : 0.0;
    computeClocks_ = loads.threads() * loads.rows * std::max(loads.instructions / gpu.issued, shared);
    const uint32_t sharedBytes = gpu.sharedIsFirst ? places_ * loads.sharedBytes() : 0;
    const uint32_t first = gpu.first.bytes - std::min(sharedBytes, gpu.first.bytes / 2);
    for (uint32_t m = 0; m < gpu.multiprocessors; ++m)
      units_.push_back({SectorCache(first, gpu.first.ways), {gpu.fetched}, {}});
    for (const uint32_t bytes : loads.texels) {
      layouts_.emplace_back(loads.width, loads.height, bytes, loads.blocks);
      starts_.push_back(outputs_);
      outputs_ += layouts_.back().sectors();
      fetched_ += loads.threads() * std::max(1.0, bytes / 8.0) / (loads.isUpward() ? steps_ : 1);
    }
  }

  HitRates run() {
    const uint32_t resident = places_ * gpu_.multiprocessors;
    const uint32_t across = GroupLoads::across(loads_);
    const uint32_t count = across * GroupLoads::down(loads_);
    const uint32_t end = std::min(count, std::max(resident * options_.maximumWaves, options_.fewestGroups));
    std::priority_queue<Resident> waiting;
    uint32_t next = 0;
    for (; next < std::min(resident, end); ++next)
      waiting.push({0.0, 0.0, next % gpu_.multiprocessors, next, 0, Resident::Phase::fetch});
    while (!waiting.empty()) {
      Resident now = waiting.top();
      waiting.pop();
      const GroupLoads group(loads_, now.group % across, now.group / across);
      if (advance(group, now)) {
        rates_.clocks = std::max(rates_.clocks, now.time);
        if (next == end)
          continue;
        now.group = next++;
        now.step = 0;
      }
      waiting.push(now);
    }
    finish(static_cast<double>(end) * loads_.threads() * loads_.rows);
    return rates_;
  }

 private:
  // Advances from one event to the next: units serve in the order of time. The loads of a row of taps, or of
  // a whole tile, are in flight together. True if the workgroup is done.
  bool advance(const GroupLoads& group, Resident& now) {
    Multiprocessor& unit = units_[now.place];
    switch (now.phase) {
      case Resident::Phase::fetch:
        now.time = unit.fetch.serve(now.time, fetched_);
        now.phase = Resident::Phase::ask;
        return false;
      case Resident::Phase::ask:
        wait(load(group, now.step, unit.cache), now);
        now.arrival = unit.answered = std::max(unit.answered, now.arrival);
        ++now.step;
        now.phase = Resident::Phase::fetch;
        if (now.step % together_ == 0 || now.step == steps_) {
          now.time = now.arrival;
          now.phase = Resident::Phase::compute;
        }
        return false;
      case Resident::Phase::compute:
        now.time = unit.compute.serve(now.time, computeClocks_ * ((now.step - 1) % together_ + 1) / steps_);
        now.phase = Resident::Phase::fetch;
        now.arrival = 0.0;
        if (now.step == steps_)
          wait(store(group), now);
        return now.step == steps_;
    }
    return true;
  }

  void wait(const Asked& asked, Resident& now) {
    double arrival = now.time + firstLatency * pace();
    if (asked.second > 0)
      arrival = std::max(arrival, second_.serve(now.time, asked.second) + secondLatency * pace());
    if (asked.memory > 0)
      arrival = std::max(arrival, memory_.serve(now.time, asked.memory) + memoryLatency * pace());
    now.arrival = std::max(now.arrival, arrival);
  }

  void finish(double pixels) {
    rates_.pixels = pixels;
    for (const Multiprocessor& unit : units_) {
      rates_.fetchBusy += unit.fetch.busy / rates_.clocks / gpu_.multiprocessors;
      rates_.computeBusy += unit.compute.busy / rates_.clocks / gpu_.multiprocessors;
    }
    rates_.secondBusy = second_.busy / rates_.clocks;
    rates_.memoryBusy = memory_.busy / rates_.clocks;
  }

  double pace() {
    const double unit = static_cast<double>(random_()) / static_cast<double>(std::minstd_rand::max());
    return 1.0 + options_.spread * (2.0 * unit - 1.0);
  }

  Asked load(const GroupLoads& group, uint32_t step, SectorCache& first) {
    Asked asked;
    for (uint32_t from = 0; from < loads_.threads(); from += gpu_.subgroup) {
      gather(from, [&](uint32_t thread, TexelPosition& p) { return group.load(step, thread, p); });
      for (size_t image = 0; image < layouts_.size(); ++image) {
        if (loads_.isUpward() && image != step)
          continue;
        for (const uint64_t sector : sectorsOf(image, starts_[image]))
          request(sector, first, asked);
      }
    }
    return asked;
  }

  void request(uint64_t sector, SectorCache& first, Asked& asked) {
    ++rates_.requests;
    if (!first.access(sector)) {
      ++rates_.firstMisses;
      ++asked.second;
      if (!secondCache_.access(sector)) {
        ++rates_.secondMisses;
        ++asked.memory;
      }
    }
  }

  // Stores the state, and features if a permuted level carries them along. Memory gets every sector once.
  Asked store(const GroupLoads& group) {
    Asked asked;
    const size_t images = loads_.permutes() && !loads_.last ? layouts_.size() : 1;
    for (uint32_t row = 0; row < loads_.rows; ++row) {
      for (uint32_t from = 0; from < loads_.threads(); from += gpu_.subgroup) {
        gather(from, [&](uint32_t thread, TexelPosition& p) { return group.store(row, thread, p); });
        for (size_t image = 0; image < images; ++image) {
          for (const uint64_t sector : sectorsOf(image, outputs_ + starts_[image])) {
            ++rates_.stores;
            ++asked.second;
            asked.memory += secondCache_.access(sector) ? 0 : 1;
          }
        }
      }
    }
    return asked;
  }

  template <class Position>
  void gather(uint32_t from, const Position& position) {
    positions_.clear();
    for (uint32_t thread = from; thread < std::min(from + gpu_.subgroup, loads_.threads()); ++thread) {
      TexelPosition p;
      if (position(thread, p))
        positions_.push_back(p);
    }
  }

  const std::vector<uint64_t>& sectorsOf(size_t image, uint64_t start) {
    sectors_.clear();
    for (const TexelPosition& p : positions_)
      sectors_.push_back(start + layouts_[image].sectorOf(p));
    std::sort(sectors_.begin(), sectors_.end());
    sectors_.erase(std::unique(sectors_.begin(), sectors_.end()), sectors_.end());
    return sectors_;
  }

  const GpuModel& gpu_;
  const LevelLoads& loads_;
  const CacheModelOptions& options_;
  uint32_t places_ = 1;  // for workgroups on a multiprocessor
  uint32_t steps_ = 1, together_ = 1;
  double fetched_ = 0;        // by a step, in texels of 8 bytes
  double computeClocks_ = 0;  // of a workgroup on a multiprocessor
  std::vector<TexelLayout> layouts_;
  std::vector<uint64_t> starts_;  // of each image
  uint64_t outputs_ = 0;          // offset of the written images
  std::vector<Multiprocessor> units_;
  SectorCache secondCache_;
  Server second_, memory_;  // sectors
  std::minstd_rand random_;
  std::vector<TexelPosition> positions_;  // of the current request
  std::vector<uint64_t> sectors_;
  HitRates rates_;
};

}  // namespace

SectorCache::SectorCache(uint32_t bytes, uint32_t ways)
    : sets_(std::max(1U, bytes / lineBytes / ways)), ways_(ways), lines_(size_t{sets_} * ways) {}

bool SectorCache::access(uint64_t sector) {
  const uint64_t number = sector / sectorsPerLine;
  const uint32_t bit = 1U << sector % sectorsPerLine;
  Line* set = &lines_[spread(number) % sets_ * ways_];
  Line* oldest = set;
  ++now_;
  for (Line* line = set; line != set + ways_; ++line) {
    if (line->number == number) {
      const bool hit = (line->present & bit) != 0;
      line->present |= bit;
      line->used = now_;
      return hit;
    }
    if (line->used < oldest->used)
      oldest = line;
  }
  *oldest = {number, now_, bit};
  return false;
}

HitRates simulateLoads(const GpuModel& gpu, const LevelLoads& loads, const CacheModelOptions& options) {
  return Simulation(gpu, loads, options).run();
}

}  // namespace lacuna
