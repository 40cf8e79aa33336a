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

#include "tools/bench/models/gpu_models.h"
#include "tools/bench/models/level_loads.h"

namespace lacuna {

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
