#include "tools/bench/models/family_model.h"

#include <algorithm>

namespace lacuna {
namespace {

// RTX 3070 (GA104), RTX 2070 (TU106): NVIDIA's Ampere GA102 and Turing white papers: multiprocessors, caches,
// boost clocks, 4 texture units a multiprocessor, memory. A Turing multiprocessor issues 64 instructions on
// floats beside 64 others: 96 of these filters' mixture. The bandwidth of their second caches is not
// published: 32 bytes a clock and slice of 128 KB here. H200: Hopper white paper and data sheet, 5120 bytes a
// clock (as A100's), its clock under load. RX 7900 XT (Navi 31): AMD's data sheet and RDNA 3 ISA guide, with
// dual issue; the second cache is that of 6 MB, memory the 80 MB of Infinity Cache behind it, which hold all
// images here. CPU: lavapipe on two cores with AVX-512, 16 invocations at a time; its instructions and
// fetches a clock are fitted to its baseline and rows4 of eaw.
constexpr GpuModel models[] = {
    {"RTX 3070", 46, 1536, 16, 32, {128 << 10, 4}, {4 << 20, 16}, true, 1.725, 128, 4, 128, 1766, 448},
    {"RTX 2070", 36, 1024, 16, 32, {96 << 10, 4}, {4 << 20, 16}, true, 1.62, 96, 4, 128, 1659, 448},
    {"RX 7900 XT", 84, 2048, 32, 32, {32 << 10, 4}, {6 << 20, 16}, false, 2.4, 128, 4, 128, 4915, 2900},
    {"H200", 132, 2048, 32, 32, {256 << 10, 4}, {50 << 20, 16}, true, 1.98, 128, 4, 128, 10137, 4800},
    {"CPU", 2, 16, 1, 16, {32 << 10, 8}, {1 << 20, 16}, false, 2.5, 8, 0.16, 64, 100, 15},
};

constexpr double instructionsOfLevelInUpward = 30;

LevelLoads inLocalOrder(LevelLoads loads) {
  loads.order = SubimageOrder::localSubdivision;
  return loads;
}

double millisecondsOf(const GpuModel& gpu, const HitRates& rates, uint32_t width, uint32_t height) {
  const double pixels = static_cast<double>(width) * height;
  return rates.clocks / (gpu.clockGHz * 1e6) * std::max(1.0, pixels / rates.pixels);
}

LevelLoads loads(LoadPattern pattern, uint32_t width, uint32_t height, uint32_t rows = 1) {
  LevelLoads result;
  result.pattern = pattern;
  result.workgroup[0] = width;
  result.workgroup[1] = height;
  result.rows = rows;
  return result;
}

}  // namespace

std::span<const GpuModel> gpuModels() {
  return models;
}

const std::vector<ModelFilter>& modelFilters() {
  static const std::vector<ModelFilter> all = {
      {"eaw", 6, {8}, 625, true}, {"guided", 5, {8, 8}, 1250}, {"svgf", 5, {16, 16, 8}, 1250}};
  return all;
}

const std::vector<ModelFamily>& modelFamilies() {
  static const std::vector<ModelFamily> all = {
      {"baseline", loads(LoadPattern::direct, 16, 16)},
      {"rows4", loads(LoadPattern::direct, 8, 16, 4)},
      {"permuted", loads(LoadPattern::nearby, 16, 16)},
      {"tiled", loads(LoadPattern::tile, 16, 8)},
      {"lattice", loads(LoadPattern::lattice, 16, 16)},
      {"permuted-local", inLocalOrder(loads(LoadPattern::nearby, 16, 16))},
      {"tiled-local", inLocalOrder(loads(LoadPattern::tile, 16, 8))}};
  return all;
}

std::vector<ModelLevel> modelLevels(const GpuModel& gpu, const ModelFilter& filter, const ModelFamily& family,
                                    uint32_t width, uint32_t height, const CacheModelOptions& options) {
  std::vector<ModelLevel> levels;
  LevelLoads loads = family.loads;
  loads.width = width;
  loads.height = height;
  loads.texels = filter.texels;
  loads.instructions = filter.instructions;
  for (uint32_t level = 0; level < filter.levels; ++level) {
    loads.level = level;
    loads.last = level + 1 == filter.levels;
    if (loads.permutes() && loads.order == SubimageOrder::ascending && level > 0 && !loads.last) {
      levels.push_back(levels.front());  // it loads and stores as the first one
      continue;
    }
    ModelLevel estimate;
    estimate.rates = simulateLoads(gpu, loads, options);
    estimate.ms = millisecondsOf(gpu, estimate.rates, width, height);
    levels.push_back(estimate);
  }
  return levels;
}

ModelLevel modelUpward(const GpuModel& gpu, const ModelFilter& filter, const ModelFamily& family,
                       uint32_t width, uint32_t height, const CacheModelOptions& options) {
  LevelLoads loads;
  loads.pattern = family.loads.permutes() ? LoadPattern::scattered : LoadPattern::upward;
  loads.order = family.loads.order;
  loads.width = width;
  loads.height = height;
  loads.level = filter.levels;
  loads.texels.assign(filter.levels + 1, filter.texels.front());
  loads.instructions = instructionsOfLevelInUpward * filter.levels;
  ModelLevel estimate;
  estimate.rates = simulateLoads(gpu, loads, options);
  estimate.ms = millisecondsOf(gpu, estimate.rates, width, height);
  return estimate;
}

}  // namespace lacuna
