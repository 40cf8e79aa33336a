#pragma once
// The predicted time of each family of schedules on another GPU, by simulation (cache_model.h): the levels,
// and the upward pass of filters with synthesis.

#include <string_view>
#include <vector>

#include "tools/bench/models/cache_model.h"

namespace lacuna {

struct ModelFilter {
  std::string_view name;
  uint32_t levels = 5;
  std::vector<uint32_t> texels;  // LevelLoads::texels
  double instructions = 0;       // of a pixel and level
  bool synthesis = false;        // an upward pass follows
};

// eaw and guided as in `lacuna bench atrous`; svgf: as in Dolp, Hanika, Dachsbacher 2024, with 40 bytes
// of a neighbour. Instructions: fitted to an H200's fastest schedules, 25 a tap of eaw and 50 of
// guided.
const std::vector<ModelFilter>& modelFilters();

struct ModelFamily {
  std::string_view name;
  LevelLoads loads;  // on images, with the usual workgroup of schedules
};
const std::vector<ModelFamily>& modelFamilies();

struct ModelLevel {
  HitRates rates;
  double ms = 0.0;
};
// In permuting schedules, levels between the first and the last are alike in ascending order.
std::vector<ModelLevel> modelLevels(const GpuModel& gpu, const ModelFilter& filter, const ModelFamily& family,
                                    uint32_t width, uint32_t height, const CacheModelOptions& options = {});

// The pass that adds up the states of all levels, for a family that keeps them in its layout.
ModelLevel modelUpward(const GpuModel& gpu, const ModelFilter& filter, const ModelFamily& family,
                       uint32_t width, uint32_t height, const CacheModelOptions& options = {});

}  // namespace lacuna
