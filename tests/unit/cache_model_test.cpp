// The cache model against what Dolp, Hanika, Dachsbacher 2024 measured on an RTX 3070 (section 4.2), and
// against counts that can be done by hand.

#include "graph/pattern/cache_model.h"

#include <gtest/gtest.h>

#include "graph/pattern/sector_cache.h"

namespace lacuna {
namespace {

const GpuModel& rtx3070() {
  return gpuModels()[0];
}

LevelLoads loads(LoadPattern pattern, uint32_t level) {
  LevelLoads l;
  l.pattern = pattern;
  l.level = level;
  l.maximumWaves = 4;
  return l;
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

// Figure 10: the first cache's rate falls from 96%, the second's rises to 96% in level 4.
TEST(CacheModel, OfTheBaselineFollowsThePaper) {
  const HitRates near = simulateLoads(rtx3070(), loads(LoadPattern::direct, 0));
  const HitRates far = simulateLoads(rtx3070(), loads(LoadPattern::direct, 4));
  EXPECT_NEAR(near.first(), 0.96, 0.02);
  EXPECT_NEAR(far.second(), 0.96, 0.02);
  double before = 1.0;
  for (uint32_t level = 0; level <= 4; ++level) {
    const double rate = simulateLoads(rtx3070(), loads(LoadPattern::direct, level)).first();
    EXPECT_LT(rate, before) << level;
    before = rate;
  }
  EXPECT_LT(before, 0.35);
}

TEST(CacheModel, OfPermutedLevelsIsThatOfTheFirst) {
  const HitRates baseline = simulateLoads(rtx3070(), loads(LoadPattern::direct, 0));
  const HitRates permuted = simulateLoads(rtx3070(), loads(LoadPattern::nearby, 5));
  EXPECT_EQ(permuted.requests, baseline.requests);
  EXPECT_EQ(permuted.firstMisses, baseline.firstMisses);
}

// Features of permuted tiles that are not carried along: their sectors hold pixels of other subimages, so the
// second cache gives more, but memory no more than once.
TEST(CacheModel, RereadFeaturesAskTheSecondCacheMore) {
  LevelLoads carried = loads(LoadPattern::tile, 3);
  carried.width = 480;
  carried.height = 270;
  carried.blocks = false;
  LevelLoads reread = carried;
  reread.pattern = LoadPattern::reread;
  const HitRates near = simulateLoads(rtx3070(), carried);
  const HitRates far = simulateLoads(rtx3070(), reread);
  EXPECT_GT(static_cast<double>(far.firstMisses), 2.0 * static_cast<double>(near.firstMisses));
  EXPECT_EQ(far.secondMisses, near.secondMisses);
  reread.level = carried.level = 0;
  EXPECT_EQ(simulateLoads(rtx3070(), reread).firstMisses, simulateLoads(rtx3070(), carried).firstMisses);
}

// One workgroup on an image of its size: 16x16 texels of 8 bytes in sectors of 2x2.
TEST(CacheModel, CountsTheSectorsOfATile) {
  LevelLoads tile = loads(LoadPattern::tile, 3);
  tile.width = tile.height = 16;
  const HitRates rates = simulateLoads(rtx3070(), tile);
  EXPECT_EQ(rates.pixels, 256);
  EXPECT_EQ(rates.firstMisses, 64U) << "only 16x16 of them lie in the image";
  EXPECT_EQ(rates.secondMisses, 64U);
}

}  // namespace
}  // namespace lacuna
