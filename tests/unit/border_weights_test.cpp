// Section 4.1 of Dolp, Hanika, Dachsbacher 2024, along one axis.

#include "tools/bench/models/border_weights.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace lacuna {
namespace {

const std::vector<double> spline = {.0625, .25, .375, .25, .0625};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += std::abs(a[i] - b[i]) / 2;
  return sum;
}

TEST(BorderWeights, OfOneLevelByHand) {
  // The last but one of eight pixels: one tap of 1/16 is outside.
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
      if (levels > 1)
        EXPECT_GT(std::accumulate(plain.begin(), plain.begin() + far, 0.0) + plain.back(), 0.0);
    }
  }
}

// As the generated `reflected` does: of eight pixels after one split the last place holds pixel 1, and the
// place before it pixel 3. Beyond that, the same pixels repeat.
TEST(BorderWeights, MirroredEmbeddingsReflectAtTheirOuterEnd) {
  const BorderStrategy mirrored{Border::embedded, {SubimageOrder::ascending, true}};
  ASSERT_EQ(pixelAt(mirrored.embedding, 7, 8, 1), 1U);
  ASSERT_EQ(pixelAt(mirrored.embedding, 6, 8, 1), 3U);
  // Two levels, the second of which has pixel 1 at the end: its taps 3, 1, 1, 3 and 5 by distance.
  const auto ofFirstLevel = [&](uint32_t pixel, uint32_t from) {
    return borderWeights(mirrored, spline, 8, pixel, 1)[from];
  };
  const std::vector<double> weights = borderWeights(mirrored, spline, 8, 1, 2);
  for (uint32_t from = 0; from < 8; ++from) {
    const double expected = (spline[2] + spline[3]) * ofFirstLevel(1, from) +
                            (spline[1] + spline[4]) * ofFirstLevel(3, from) +
                            spline[0] * ofFirstLevel(5, from);
    EXPECT_NEAR(weights[from], expected, 1e-15) << from;
  }
}

// The figures of tools/bench/README.md: pixel (16, 30) of 32x32, three levels of the B3 spline.
TEST(BorderWeights, OfThePapersPixel) {
  const auto weightsOf = [](const BorderStrategy& strategy) {
    const std::vector<double> x = borderWeights(strategy, spline, 32, 16, 3);
    const std::vector<double> y = borderWeights(strategy, spline, 32, 30, 3);
    std::vector<double> product;
    for (size_t i = 0; i < 32 * 32; ++i)
      product.push_back(x[i % 32] * y[i / 32]);
    return product;
  };
  const std::vector<double> zero = weightsOf({});
  const auto moved = [&](const BorderStrategy& strategy) {
    return 100.0 * difference(weightsOf(strategy), zero);
  };
  EXPECT_NEAR(moved({Border::mirrored, {}}), 8.1, 0.05);
  EXPECT_NEAR(moved({Border::embedded, {SubimageOrder::ascending, true}}), 8.1, 0.05);
  EXPECT_NEAR(moved({Border::embedded, {SubimageOrder::localSubdivision, true}}), 5.8, 0.05);
}

}  // namespace
}  // namespace lacuna
