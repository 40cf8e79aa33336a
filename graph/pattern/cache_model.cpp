#include "graph/pattern/cache_model.h"

#include <algorithm>

#include "graph/pattern/sector_cache.h"

namespace lacuna {
namespace {

// Data sheets: GA104 and TU106 (NVIDIA Ampere and Turing white papers), GH100 (Hopper white paper), Navi 31
// (AMD RDNA 3 ISA guide; the second cache is that of 6 MB, before the 80 MB of Infinity Cache). The CPU: a
// core with AVX-512 takes 16 invocations at a time.
constexpr GpuModel models[] = {
    {"RTX 3070", 46, 1536, 32, {128 << 10, 4}, {4 << 20, 16}},
    {"RTX 2070", 36, 1024, 32, {64 << 10, 4}, {4 << 20, 16}},
    {"RX 7900 XT", 84, 2048, 32, {32 << 10, 4}, {6 << 20, 16}},
    {"H200", 132, 2048, 32, {256 << 10, 4}, {50 << 20, 16}},
    {"CPU", 2, 16, 16, {32 << 10, 8}, {1 << 20, 16}},
};

constexpr uint32_t sectorBytes = 32;

// Where texels lie. Images: NVIDIA's blocks of 512 bytes, 64 wide and 8 high, whose sectors are 16 bytes by 2
// rows.
class Layout {
 public:
  explicit Layout(const LevelLoads& loads)
      : blocks_(loads.blocks),
        texel_(loads.texelBytes),
        pitch_((uint64_t{loads.width} * loads.texelBytes + 63) / 64 * 64) {}

  uint64_t sectorOf(uint32_t x, uint32_t y) const {
    const uint64_t byte = uint64_t{x} * texel_;
    if (!blocks_) {
      return (y * pitch_ + byte) / sectorBytes;
    }
    const uint64_t block = y / 8 * (pitch_ / 64) + byte / 64;
    return block * 16 + y % 8 / 2 * 4 + byte % 64 / 16;
  }

 private:
  bool blocks_;
  uint32_t texel_;
  uint64_t pitch_;
};

struct Position {
  int64_t x = 0, y = 0;
};

// The loads of one workgroup, step by step: what each thread loads in the same step is one request a
// subgroup.
class Workgroup {
 public:
  Workgroup(const LevelLoads& loads, uint32_t gx, uint32_t gy) : loads_(loads), gx_(gx), gy_(gy) {}

  static uint32_t threads(const LevelLoads& loads) { return loads.workgroup[0] * loads.workgroup[1]; }

  static uint32_t steps(const LevelLoads& loads) {
    const uint32_t reach = 2 * loads.radius;
    if (loads.pattern == LoadPattern::direct || loads.pattern == LoadPattern::nearby) {
      return (reach + 1) * (reach + loads.rows);
    }
    const uint32_t columns = loads.workgroup[0] + reach * group(loads);
    const uint32_t cells = columns * (loads.workgroup[1] + reach);
    return (cells + threads(loads) - 1) / threads(loads);
  }

  // False: the thread loads nothing in this step.
  bool position(uint32_t step, uint32_t thread, Position& p) const {
    const auto dilation = int64_t{1} << loads_.level;
    const auto radius = static_cast<int64_t>(loads_.radius);
    if (loads_.pattern == LoadPattern::direct || loads_.pattern == LoadPattern::nearby) {
      const int64_t stride = loads_.pattern == LoadPattern::nearby ? 1 : dilation;
      const auto taps = static_cast<int64_t>(2 * loads_.radius + 1);
      p = first(thread);
      p.x += (step % taps - radius) * stride;
      p.y += (step / taps - radius) * stride;
    } else {
      const uint32_t columns = loads_.workgroup[0] + 2 * loads_.radius * group(loads_);
      const uint32_t cell = step * threads(loads_) + thread;
      p = {static_cast<int64_t>(cell % columns), static_cast<int64_t>(cell / columns)};
      if (p.y >= static_cast<int64_t>(loads_.workgroup[1]) + 2 * radius) {
        return false;
      }
      p.x += int64_t{gx_} * loads_.workgroup[0] - radius * group(loads_);
      p.y += int64_t{gy_} * loads_.workgroup[1] - radius;
      if (loads_.pattern == LoadPattern::lattice || loads_.pattern == LoadPattern::reread) {
        p = onLattice(p, dilation);
      }
    }
    return p.x >= 0 && p.y >= 0 && p.x < int64_t{loads_.width} && p.y < int64_t{loads_.height};
  }

 private:
  // Columns that a lattice keeps together.
  static uint32_t group(const LevelLoads& loads) {
    return loads.pattern == LoadPattern::lattice ? std::min(4U, 1U << loads.level) : 1;
  }

  Position first(uint32_t thread) const {
    Position p{int64_t{gx_} * loads_.workgroup[0] + thread % loads_.workgroup[0],
               int64_t{gy_} * loads_.workgroup[1] + thread / loads_.workgroup[0]};
    if (loads_.rows > 1) {
      const int64_t dilation = int64_t{1} << loads_.level;
      p.y = p.y / dilation * dilation * loads_.rows + p.y % dilation;
    }
    return p;
  }

  // Column groups and rows of one remainder side by side, all remainders one after the other.
  Position onLattice(Position p, int64_t dilation) const {
    const int64_t size = group(loads_);
    const int64_t groups = (loads_.width + size - 1) / size;
    const int64_t g = p.x < 0 ? -1 : interleaved(p.x / size, groups, dilation / size);
    return {g < 0 ? -1 : g * size + p.x % size, interleaved(p.y, loads_.height, dilation)};
  }

  static int64_t interleaved(int64_t place, int64_t size, int64_t dilation) {
    if (place < 0 || place >= size) {
      return -1;
    }
    const int64_t large = size % dilation;  // remainders with one more
    const int64_t small = size / dilation;
    const int64_t inLarge = large * (small + 1);
    return place < inLarge ? place / (small + 1) + place % (small + 1) * dilation
                           : large + (place - inLarge) / std::max<int64_t>(1, small) +
                                 (place - inLarge) % std::max<int64_t>(1, small) * dilation;
  }

  const LevelLoads& loads_;
  uint32_t gx_, gy_;
};

class Simulation {
 public:
  Simulation(const GpuModel& gpu, const LevelLoads& loads)
      : gpu_(gpu), loads_(loads), layout_(loads), second_(gpu.second.bytes, gpu.second.ways) {
    for (uint32_t m = 0; m < gpu.multiprocessors; ++m) {
      first_.emplace_back(gpu.first.bytes, gpu.first.ways);
    }
  }

  // Workgroups come in waves, handed out to the multiprocessors in turn; those of a wave go step by step
  // together.
  HitRates run() {
    const uint32_t threads = Workgroup::threads(loads_);
    const uint32_t resident = std::max(1U, gpu_.threads / threads) * gpu_.multiprocessors;
    const uint32_t across = (loads_.width + loads_.workgroup[0] - 1) / loads_.workgroup[0];
    const uint32_t tall = loads_.workgroup[1] * loads_.rows;
    const uint32_t count = across * ((loads_.height + tall - 1) / tall);
    const uint32_t steps = Workgroup::steps(loads_);
    const uint32_t end = std::min<uint64_t>(count, uint64_t{resident} * loads_.maximumWaves);
    for (uint32_t wave = 0; wave < end; wave += resident) {
      for (uint32_t step = 0; step < steps; ++step) {
        for (uint32_t g = wave; g < std::min(wave + resident, end); ++g) {
          load(Workgroup(loads_, g % across, g / across), step, first_[g % gpu_.multiprocessors]);
        }
      }
    }
    rates_.pixels = static_cast<double>(end) * threads * loads_.rows;
    return rates_;
  }

 private:
  void load(const Workgroup& workgroup, uint32_t step, SectorCache& first) {
    const uint32_t threads = Workgroup::threads(loads_);
    for (uint32_t from = 0; from < threads; from += gpu_.subgroup) {
      sectors_.clear();
      for (uint32_t t = from; t < std::min(from + gpu_.subgroup, threads); ++t) {
        Position p;
        if (workgroup.position(step, t, p)) {
          sectors_.push_back(layout_.sectorOf(static_cast<uint32_t>(p.x), static_cast<uint32_t>(p.y)));
        }
      }
      std::sort(sectors_.begin(), sectors_.end());
      sectors_.erase(std::unique(sectors_.begin(), sectors_.end()), sectors_.end());
      for (const uint64_t sector : sectors_) {
        count(sector, first);
      }
    }
  }

  void count(uint64_t sector, SectorCache& first) {
    ++rates_.requests;
    if (first.access(sector)) {
      return;
    }
    ++rates_.firstMisses;
    rates_.secondMisses += second_.access(sector) ? 0 : 1;
  }

  const GpuModel& gpu_;
  const LevelLoads& loads_;
  Layout layout_;
  std::vector<SectorCache> first_;
  SectorCache second_;
  std::vector<uint64_t> sectors_;  // of the request at hand
  HitRates rates_;
};

}  // namespace

std::span<const GpuModel> gpuModels() {
  return models;
}

HitRates simulateLoads(const GpuModel& gpu, const LevelLoads& loads) {
  return Simulation(gpu, loads).run();
}

}  // namespace lacuna
