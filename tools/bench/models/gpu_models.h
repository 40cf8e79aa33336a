#pragma once
// Other GPUs, as the cache model and its estimates need them. From the makers' data sheets and white papers;
// gpu_models.cpp names them.

#include <cstdint>
#include <span>
#include <string_view>

namespace lacuna {

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

}  // namespace lacuna
