// The cache model against what Dolp, Hanika, Dachsbacher 2024 measured (section 4.2), and against counts that
// can be done by hand.

#include "tools/bench/models/cache_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tools/bench/models/family_model.h"

namespace lacuna {
namespace {

const GpuModel& gpu(std::string_view name) {
  for (const GpuModel& model : gpuModels())
    if (model.name == name)
      return model;
  throw std::runtime_error("no such GPU");
}

HitRates ofLevel(LoadPattern pattern, uint32_t level, double spread = 0.2) {
  LevelLoads loads;
  loads.pattern = pattern;
  loads.level = level;
  loads.instructions = modelFilters()[0].instructions;
  CacheModelOptions options;
  options.maximumWaves = 4;
  options.fewestGroups = 0;
  options.spread = spread;
  return simulateLoads(gpu("RTX 3070"), loads, options);
}

// Milliseconds of a level of 1920x1080 pixels, of the top of the image.
double levelMs(std::string_view device, std::string_view filterName, std::string_view familyName,
               uint32_t level) {
  const auto named = [](const auto& all, std::string_view name) {
    return *std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  };
  const ModelFilter filter = named(modelFilters(), filterName);
  LevelLoads loads = named(modelFamilies(), familyName).loads;
  loads.level = level;
  loads.texels = filter.texels;
  loads.instructions = filter.instructions;
  CacheModelOptions options;
  options.maximumWaves = 2;
  options.fewestGroups = 0;
  const HitRates rates = simulateLoads(gpu(device), loads, options);
  return rates.clocks / rates.pixels * 1920 * 1080 / (gpu(device).clockGHz * 1e6);
}

TEST(SectorCache, KeepsLinesAndLoadsSectors) {
  SectorCache cache(128 * 2, 2);  // one set of two lines
  EXPECT_FALSE(cache.access(0));
  EXPECT_TRUE(cache.access(0));
  EXPECT_FALSE(cache.access(1)) << "the line is there, this sector is not";
  EXPECT_FALSE(cache.access(4));
  EXPECT_TRUE(cache.access(1));
  EXPECT_FALSE(cache.access(8)) << "a third line";
  EXPECT_TRUE(cache.access(0)) << "used after 4";
  EXPECT_FALSE(cache.access(4)) << "the oldest went";
}

// Figure 10: the first cache's rate falls from 96% to 31%, the second's rises to 96% in level 4. The model's
// error: 18 points in the first cache at level 4, where all hits come from other workgroups.
TEST(CacheModel, OfTheBaselineFollowsThePaper) {
  double before = 1.0;
  for (uint32_t level = 0; level <= 4; level += 2) {
    const HitRates rates = ofLevel(LoadPattern::direct, level);
    EXPECT_LT(rates.first(), before) << level;
    before = rates.first();
    if (level == 0)
      EXPECT_NEAR(rates.first(), 0.96, 0.01);
    if (level == 4) {
      EXPECT_NEAR(rates.second(), 0.96, 0.03);
      EXPECT_NEAR(rates.first(), 0.31, 0.22);
      EXPECT_GT(rates.first(), 0.05) << "neighbours on one multiprocessor";
    }
  }
}

TEST(CacheModel, HardlyDependsOnHowLatenciesSpread) {
  for (const uint32_t level : {0U, 3U}) {
    EXPECT_NEAR(ofLevel(LoadPattern::direct, level, 0.1).first(),
                ofLevel(LoadPattern::direct, level, 0.8).first(), 0.04)
        << level;
  }
}

TEST(CacheModel, OfPermutedLevelsIsThatOfTheFirst) {
  const HitRates baseline = ofLevel(LoadPattern::direct, 0);
  for (const uint32_t level : {0U, 4U}) {
    const HitRates permuted = ofLevel(LoadPattern::nearby, level);
    EXPECT_EQ(permuted.requests, baseline.requests);
    EXPECT_NEAR(permuted.first(), baseline.first(), 0.01);
    EXPECT_NEAR(permuted.clocks, baseline.clocks, 0.05 * baseline.clocks);
  }
}

// Features of permuted tiles that are not carried along: their sectors hold pixels of other subimages, so the
// second cache delivers more, but memory only once.
TEST(CacheModel, RereadFeaturesAskTheSecondCacheMore) {
  LevelLoads carried;
  carried.pattern = LoadPattern::tile;
  carried.level = 3;
  carried.width = 480;
  carried.height = 270;
  carried.blocks = false;
  LevelLoads reread = carried;
  reread.pattern = LoadPattern::reread;
  const HitRates near = simulateLoads(gpu("RTX 3070"), carried);
  const HitRates far = simulateLoads(gpu("RTX 3070"), reread);
  EXPECT_GT(static_cast<double>(far.firstMisses), 2.0 * static_cast<double>(near.firstMisses));
  EXPECT_EQ(far.secondMisses, near.secondMisses);
}

// One workgroup on an image of its size: 16x16 texels of 8 bytes in sectors of 2x2.
TEST(CacheModel, CountsTheSectorsOfATile) {
  LevelLoads tile;
  tile.pattern = LoadPattern::tile;
  tile.width = tile.height = 16;
  const HitRates rates = simulateLoads(gpu("RTX 3070"), tile);
  EXPECT_EQ(rates.pixels, 256);
  EXPECT_EQ(rates.firstMisses, 64U) << "only 16x16 of them lie in the image";
  EXPECT_EQ(rates.secondMisses, 64U);
  // Even and odd rows go to different halves: a subgroup of 16x2 pixels fills half of each of its sectors.
  EXPECT_EQ(rates.stores, 128U);
}

// The pass after all levels, on 16x16 pixels: three images in sectors of 2x2. After one split a subgroup's
// two rows of 16 pixels are in two places, and take half of each sector.
TEST(CacheModel, CountsTheSectorsOfAnUpwardPass) {
  LevelLoads upward;
  upward.pattern = LoadPattern::upward;
  upward.width = upward.height = 16;
  upward.level = 2;
  upward.texels = {8, 8, 8};
  const HitRates together = simulateLoads(gpu("RTX 3070"), upward);
  EXPECT_EQ(together.requests, 3U * 64U);
  EXPECT_EQ(together.firstMisses, 3U * 64U);
  EXPECT_EQ(together.stores, 64U);
  upward.pattern = LoadPattern::scattered;
  const HitRates scattered = simulateLoads(gpu("RTX 3070"), upward);
  EXPECT_EQ(scattered.requests, 64U + 128U + 64U);
  EXPECT_EQ(scattered.firstMisses, 3U * 64U) << "each sector once, if late";
  EXPECT_EQ(scattered.stores, 64U);
}

TEST(LevelLoads, OfLocalOrderStoreWhereItLies) {
  LevelLoads loads;
  loads.pattern = LoadPattern::nearby;
  loads.order = SubimageOrder::localSubdivision;
  loads.width = 127;
  loads.height = 61;
  for (uint32_t level = 0; level < 4; ++level) {
    loads.level = level;
    for (const bool last : {false, true}) {
      loads.last = last;
      const GroupLoads group(loads, 3, 2);
      for (uint32_t thread = 0; thread < loads.threads(); ++thread) {
        const uint32_t x = 3 * 16 + thread % 16;
        const uint32_t y = 2 * 16 + thread / 16;
        const Embedding local{SubimageOrder::localSubdivision, false};
        TexelPosition p;
        ASSERT_EQ(group.store(0, thread, p), y < 61U);
        if (y < 61U) {
          EXPECT_EQ(p.x, last ? pixelAt(local, x, 127, level) : nextPlace(local, x, 127, level));
          EXPECT_EQ(p.y, last ? pixelAt(local, y, 61, level) : nextPlace(local, y, 61, level));
        }
      }
    }
  }
}

// A level of svgf with 40 bytes of a neighbour took .30 ms tiled; the baseline 2.5 times that in the first
// level and 3.8 times in the last on an RTX 3070 (section 4.2).
TEST(FamilyModel, FindsThePapersSpeedUps) {
  const double tiled = levelMs("RTX 3070", "svgf", "tiled", 0);
  EXPECT_NEAR(tiled, 0.30, 0.10);
  EXPECT_NEAR(levelMs("RTX 3070", "svgf", "baseline", 0) / tiled, 2.5, 0.5);
  EXPECT_NEAR(levelMs("RTX 3070", "svgf", "baseline", 4) / tiled, 3.8, 0.8);
}

// Cases where the model's README states errors: the bounds are these errors, so that they don't grow.
TEST(FamilyModel, IsAsFarOffAsItsReadmeSays) {
  // The measured times were .88 and 1.62 ms, and .66 with tiles.
  EXPECT_NEAR(levelMs("RTX 2070", "svgf", "baseline", 0), 0.88, 0.40);
  EXPECT_NEAR(levelMs("RTX 2070", "svgf", "baseline", 4), 1.62, 0.40);
  EXPECT_NEAR(levelMs("RTX 2070", "svgf", "tiled", 0), 0.66, 0.15);
  // Measured: .09 and .16 ms, tiled .052 to .059 in ascending and .068 to .071 in local order.
  EXPECT_NEAR(levelMs("RX 7900 XT", "eaw", "baseline", 0), 0.09, 0.025);
  EXPECT_NEAR(levelMs("RX 7900 XT", "eaw", "baseline", 4), 0.16, 0.08);
  EXPECT_NEAR(levelMs("RX 7900 XT", "eaw", "tiled", 0), 0.055, 0.008);
  EXPECT_NEAR(levelMs("RX 7900 XT", "eaw", "tiled-local", 2), 0.07, 0.02);
}

// Measured: 3.88 ms in place of 1.05, and 1.5 to 2.1 times on an H200.
TEST(FamilyModel, FindsThatScatteredUpwardPassesTakeLonger) {
  CacheModelOptions options;
  options.maximumWaves = 1;
  options.fewestGroups = 0;
  const auto upward = [&](size_t family) {
    return modelUpward(gpu("RTX 3070"), modelFilters()[0], modelFamilies()[family], 1920, 1080, options).ms;
  };
  ASSERT_EQ(modelFamilies()[3].name, "tiled");
  EXPECT_NEAR(upward(3) / upward(0), 3.7, 2.6);
  EXPECT_GT(upward(3), 1.05 * upward(0));
}

}  // namespace
}  // namespace lacuna
