// eaw's estimate of the noise, read off its result: with edges far apart, level 0 is a plain blur, and every
// large detail comes out smaller by its threshold, which is the estimate.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/reference/eaw.h"

namespace lacuna::test {
namespace {

// Smooth gradients and an edge, and white Gaussian noise of a known standard deviation.
Image noisyImage(std::mt19937_64& random, Extent extent, double sigma) {
  Image image = makeImage(Channels::rgba, Format::f32, extent, ColourTag::rec709);
  std::normal_distribution<double> noise(0.0, sigma);
  const double edge = uniform(random, 0.2, 0.8) * extent.width;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      for (int c = 0; c < 4; ++c) {
        const double clean =
            0.5 + 0.3 * std::sin(0.03 * x + c) * std::cos(0.02 * y - c) + (x > edge ? 0.5 : 0.0);
        image.set(x, y, c, c == 3 ? 1.0 : clean + noise(random));
      }
    }
  }
  return image;
}

double estimateOf(const Image& image) {
  constexpr double threshold = 0.5;
  EawParameters p;
  p.levels = 1;
  p.edges.fill(1000.0);
  p.thresholds.fill(threshold);
  p.gains.fill(1.0);
  const Picture before = pictureOf(image);
  const Picture after = pictureOf(run(graphAround("eaw", image, p.text()), "auto").at("out"));
  std::vector<double> taken;
  for (size_t i = 0; i < before.values.size(); ++i) {
    if (i % 4 != 3) {
      taken.push_back(std::abs(before.values[i] - after.values[i]));
    }
  }
  // Most details are larger than the threshold; smaller ones go whole.
  const auto middle = taken.begin() + static_cast<std::ptrdiff_t>(taken.size() / 2);
  std::nth_element(taken.begin(), middle, taken.end());
  return *middle / threshold;
}

TEST(EawEstimate, IsNearTheTruth) {
  std::mt19937_64 random(testSeed() + 1100);
  const Extent extents[] = {{127, 509}, {256, 192}, {static_cast<uint32_t>(pick(random, 120, 300)), 120}};
  for (const Extent extent : extents) {
    const double sigma = std::exp(uniform(random, std::log(0.01), std::log(0.5)));
    SCOPED_TRACE(fmt::format("{}x{}, noise {}", extent.width, extent.height, sigma));
    const Image image = noisyImage(random, extent, sigma);
    const double estimate = estimateOf(image);
    EXPECT_NEAR(estimate / sigma, 1.0, 0.1);
    EXPECT_NEAR(estimate / estimatedNoise(pictureOf(image), Format::f32), 1.0, 1e-3);
  }
}

}  // namespace
}  // namespace lacuna::test
