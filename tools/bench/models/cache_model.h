#pragma once
// Hit rates of the caches of a GPU over one à-trous level: a simulation that predicts a schedule family on
// other GPUs (Dolp, Hanika, Dachsbacher 2024, figure 10 and section 4.2). Caches have lines of 128 bytes in
// sectors of 32, least recently used lines go first. Stores bypass the first cache.
//
// Workgroups are assigned in order, first one to each multiprocessor in turn, then to the next with a free
// place, and do their loads at their own pace. Texture units, the second cache and memory serve requests
// one after the other at their rates; an answer takes the latency of the memory that it comes from, which
// differs from request to request (slices of the second cache lie at different distances). A texture unit
// answers in order, so that a hit waits for misses before it (Igehy, Eldridge, Proudfoot, Prefetching in a
// Texture Cache Architecture, 1998). So workgroups drift apart, and neighbours may be on one
// multiprocessor.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tools/bench/models/level_loads.h"

namespace lacuna {

// Other GPUs, as the cache model and its estimates need them. From the makers' data sheets and white papers;
// family_model.cpp names them.
struct CacheSize {
  uint32_t bytes = 0;
  uint32_t ways = 4;
};

struct GpuModel {
  std::string_view name;
  uint32_t multiprocessors = 1;  // each with a first-level cache of its own; the second-level cache is shared
  uint32_t threads = 1536;       // resident on a multiprocessor at once
  uint32_t groups = 16;          // workgroups, likewise
  uint32_t subgroup = 32;        // threads whose loads are one request
  CacheSize first;
  CacheSize second;
  bool sharedIsFirst = true;  // shared memory is a part of the first cache
  double clockGHz = 1.0;
  // A multiprocessor and clock:
  double issued = 128;  // instructions of single threads
  double fetched = 4;   // texels of up to 8 bytes; larger ones take several times as long
  double sharedBytes = 128;
  // Rates of the whole device, in GB/s:
  double secondGBs = 0;
  double memoryGBs = 0;
};

std::span<const GpuModel> gpuModels();

// A cache with lines of four sectors: a line is kept or evicted as a whole, its sectors are loaded one by
// one.
constexpr uint32_t sectorBytes = 32;

class SectorCache {
 public:
  SectorCache(uint32_t bytes, uint32_t ways);
  bool access(uint64_t sector);  // true if it was there; it is afterwards

 private:
  struct Line {
    uint64_t number = ~uint64_t{0};
    uint64_t used = 0;
    uint32_t present = 0;  // a bit a sector
  };
  uint32_t sets_, ways_;
  uint64_t now_ = 0;
  std::vector<Line> lines_;
};

struct CacheModelOptions {
  // Number of workgroups that are resident together: except for the smallest, only the top of an image is
  // then simulated.
  uint32_t maximumWaves = 3;
  uint32_t fewestGroups = 1024;
  double spread = 0.2;  // latencies lie between 1 - spread and 1 + spread times the usual one
  uint32_t seed = 1;
};

struct HitRates {
  uint64_t requests = 0;      // sectors requested from the first cache
  uint64_t firstMisses = 0;   // of those, requested from the second cache
  uint64_t secondMisses = 0;  // of those, requested from memory
  uint64_t stores = 0;        // sectors written, one request a subgroup
  double pixels = 0;          // whose loads these are
  double clocks = 0;          // until the last of them is done
  // Shares of that time: texture units, arithmetic and shared memory, the second cache, memory.
  double fetchBusy = 0, computeBusy = 0, secondBusy = 0, memoryBusy = 0;

  double first() const {
    return requests == 0 ? 0.0 : 1.0 - static_cast<double>(firstMisses) / static_cast<double>(requests);
  }
  double second() const {
    return firstMisses == 0 ? 0.0
                            : 1.0 - static_cast<double>(secondMisses) / static_cast<double>(firstMisses);
  }
};

HitRates simulateLoads(const GpuModel& gpu, const LevelLoads& loads, const CacheModelOptions& options = {});

}  // namespace lacuna
