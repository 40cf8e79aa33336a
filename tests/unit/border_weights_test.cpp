// Section 4.1 of Dolp, Hanika, Dachsbacher 2024, along one axis.

#include "tools/lacuna/bench/models/border_weights.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace lacuna {
namespace {

const std::vector<double> spline = {.0625, .25, .375, .25, .0625};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(a[i] - b[i]) / 2;
  }
  return sum;
}

TEST(BorderWeights, OfOneLevelByHand) {
  // The last but one of eight pixels: one tap of 1/16 lies outside.
  EXPECT_DOUBLE_EQ(weightOutside(spline, 8, 6, 0), .0625);
  EXPECT_DOUBLE_EQ(weightOutside(spline, 8, 6, 1), .3125);
  const std::vector<double> zero = borderWeights({}, spline, 8, 6, 1);
  EXPECT_DOUBLE_EQ(zero[6], .375 / .9375);
  const std::vector<double> mirrored = borderWeights({Border::mirrored, {}}, spline, 8, 6, 1);
  EXPECT_DOUBLE_EQ(mirrored[7], .25 + .0625) << "what lies outside is the last pixel again";
}

TEST(BorderWeights, AllStrategiesAgreeFarFromBorders) {
  for (const Border border : {Border::mirrored, Border::embedded}) {
    for (const bool isMirrored : {false, true}) {
      const BorderStrategy strategy{border, {SubimageOrder::ascending, isMirrored}};
      EXPECT_LT(
          difference(borderWeights(strategy, spline, 128, 64, 4), borderWeights({}, spline, 128, 64, 4)),
          1e-12);
    }
  }
}

// Without mirroring weight comes from the far end of the image; with it, from no farther than the footprint
// and a tile of 2^level pixels.
TEST(BorderWeights, RandomMirroredEmbeddingLeaksNoFurtherThanATile) {
  std::mt19937_64& random = test::testRandom();
  for (const SubimageOrder order : {SubimageOrder::ascending, SubimageOrder::localSubdivision}) {
    for (int run = 0; run < 20; ++run) {
      const uint32_t levels = 1 + random() % 3;
      const uint32_t size = 64U + 8 * (random() % 8);  // whole tiles: nothing is padded
      const uint32_t pixel = size - 1 - random() % 3;
      const int64_t reach = 2 * ((1 << levels) - 1) + (1 << levels);
      const std::vector<double> plain =
          borderWeights({Border::embedded, {order, false}}, spline, size, pixel, levels);
      const std::vector<double> mirrored =
          borderWeights({Border::embedded, {order, true}}, spline, size, pixel, levels);
      const auto far = static_cast<ptrdiff_t>(pixel - reach);
      EXPECT_NEAR(std::accumulate(mirrored.begin(), mirrored.end(), 0.0), 1.0, 1e-12);
      EXPECT_EQ(std::accumulate(mirrored.begin(), mirrored.begin() + far, 0.0), 0.0)
          << size << " pixels, " << levels << " levels, pixel " << pixel;
      if (levels > 1) {
        EXPECT_GT(std::accumulate(plain.begin(), plain.begin() + far, 0.0) + plain.back(), 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace lacuna
