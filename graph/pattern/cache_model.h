#pragma once
// Hit rates of the caches of a GPU over the loads of one à-trous level: a simulation, to say how a schedule
// family would fare on GPUs that are not at hand (Dolp, Hanika, Dachsbacher 2024, figure 10 and section 4.2).
// Caches have lines of 128 bytes in sectors of 32, least recently used lines go first. Writes pass the first
// cache and are not simulated.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lacuna {

struct CacheSize {
  uint32_t bytes = 0;
  uint32_t ways = 4;
};

struct GpuModel {
  std::string_view name;
  uint32_t multiprocessors = 1;  // each with a first cache of its own; the second one is shared
  uint32_t threads = 1536;       // that a multiprocessor holds at once
  uint32_t subgroup = 32;        // threads whose loads are one request
  CacheSize first;
  CacheSize second;
};

// From the makers' data sheets and white papers. What a first cache gives to shared memory is not taken off.
std::span<const GpuModel> gpuModels();

// The families of compile/stencil_schedule.h, as far as they differ in what they load.
enum class LoadPattern {
  direct,   // each tap from memory, one dilation apart: baseline, rows
  nearby,   // each tap from memory, neighbours: permuted
  tile,     // the neighbours of a workgroup once: tiled
  lattice,  // the dilated lattice of a workgroup once
  reread,   // the pixels of `tile` once, in the original layout: features of tiled-reread
};

struct LevelLoads {
  LoadPattern pattern = LoadPattern::direct;
  uint32_t width = 1920, height = 1080;
  uint32_t workgroup[2] = {16, 16};
  uint32_t rows = 1;        // pixels a thread, one dilation apart; direct only
  uint32_t texelBytes = 8;  // a power of two, 4 to 16
  uint32_t radius = 2;
  uint32_t level = 0;  // dilation 2^level
  bool blocks = true;  // images: texels lie in blocks of 64 bytes by 8 rows; false: row after row
  uint32_t maximumWaves =
      12;  // of workgroups that are resident together; fewer: faster, and only the top of the image
};

struct HitRates {
  uint64_t requests = 0;      // sectors asked of the first cache
  uint64_t firstMisses = 0;   // of those, asked of the second
  uint64_t secondMisses = 0;  // of those, asked of memory
  double first() const {
    return requests == 0 ? 0.0 : 1.0 - static_cast<double>(firstMisses) / static_cast<double>(requests);
  }
  double second() const {
    return firstMisses == 0 ? 0.0
                            : 1.0 - static_cast<double>(secondMisses) / static_cast<double>(firstMisses);
  }
  double pixels = 0;  // whose loads these are
};
HitRates simulateLoads(const GpuModel& gpu, const LevelLoads& loads);

}  // namespace lacuna
