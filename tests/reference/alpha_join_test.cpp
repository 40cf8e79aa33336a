// alpha-split and alpha-join against their double-precision version, written from their READMEs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/reference/blocks.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

// Standard deviation over mean of the smoothest block around; 0 if none has light.
double leastNoise(const Blocks& blocks, int x, int y) {
  double least = std::numeric_limits<double>::infinity();
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      if (!blocks.light.contains(x + dx, y + dy))
        continue;
      const double *light = blocks.light.at(x + dx, y + dy), *squares = blocks.squares.at(x + dx, y + dy);
      const double values = 3.0 * blocks.count.at(x + dx, y + dy)[0];
      if (const double mean = (light[0] + light[1] + light[2]) / values; mean > 0.0)
        least = std::min(least, std::sqrt((squares[0] + squares[1] + squares[2]) / values) / mean);
    }
  }
  return std::isfinite(least) ? least : 0.0;
}

bool isEven(const Picture& noisy, int x, int y) {
  double smallest = 1.0, largest = 0.0;
  for (int j = std::max(y - 3, 0); j <= std::min(y + 3, noisy.height - 1); ++j) {
    for (int i = std::max(x - 3, 0); i <= std::min(x + 3, noisy.width - 1); ++i) {
      smallest = std::min(smallest, noisy.at(i, j)[3]);
      largest = std::max(largest, noisy.at(i, j)[3]);
    }
  }
  return smallest == 1.0 || largest < 1e-6;
}

Picture expectedOf(const Picture& input, const Picture& noisy, const Picture& alpha) {
  const Blocks blocks = blocksOf(noisy, input);
  Picture share(blocks.light.width, blocks.light.height, 1);
  for (int y = 0; y < share.height; ++y) {
    for (int x = 0; x < share.width; ++x) {
      const double t = std::clamp((leastNoise(blocks, x, y) - 0.02) / 0.02, 0.0, 1.0);
      share.at(x, y)[0] = t * t * (3.0 - 2.0 * t);
    }
  }
  Picture output = input;
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      const double before = noisy.at(x, y)[3], own = input.at(x, y)[3];
      if (before >= 0.0 && before <= 1.0 && !isEven(noisy, x, y))
        output.at(x, y)[3] = std::clamp(std::lerp(own, alpha.at(x, y)[1], between(share, x, y, 0)), 0.0, 1.0);
    }
  }
  return output;
}

Image joined(const Image& input, const Image& noisy, const Image& alpha) {
  return besideNoisy("alpha-join", input, noisy, "i-memory:alpha alpha=alpha-join\n", {{"alpha", alpha}});
}

// A colour with noise that grows from left to right, from none to one that surely counts. Alpha is 0 at the
// top, 1 at the bottom, and noisy between.
Image render(std::mt19937_64& random, Extent extent, double most) {
  Image image = makeImage(Channels::rgba, Format::f32, extent);
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      const double noise = most * x / extent.width;
      for (uint32_t c = 0; c < 3; ++c)
        image.set(x, y, c, static_cast<float>(0.2 * (c + 1) * (1.0 + uniform(random, -noise, noise))));
      const uint32_t third = 3 * y / extent.height;
      image.set(x, y, 3,
                third == 0   ? pick(random, 0, 1) * 0x1p-24F
                : third == 2 ? 1.0F
                             : static_cast<float>(uniform(random, 0.0, 1.0)));
    }
  }
  return image;
}

class AlphaJoinCase : public testing::TestWithParam<int> {};

TEST_P(AlphaJoinCase, RandomPicturesAgreeWithItsReference) {
  std::mt19937_64& random = testRandom();
  const Extent extent = GetParam() == 0 ? Extent{127, 85} : extentOfCase(GetParam(), random);
  const Image input = render(random, extent, 0.0),
              alpha = randomImage(random, Channels::rgb, Format::f16, extent, false);
  Image noisy = render(random, extent, 0.15);
  noisy.set(extent.width - 1, 0, 1, std::numeric_limits<float>::infinity());
  noisy.set(0, extent.height - 1, 3, std::numeric_limits<float>::quiet_NaN());
  noisy.set(extent.width / 2, extent.height / 2, 3, 1.5F);
  const Image output = joined(input, noisy, alpha);
  expectAgrees(output, expectedOf(pictureOf(input), pictureOf(noisy), pictureOf(alpha)));
}

INSTANTIATE_TEST_SUITE_P(AlphaJoin, AlphaJoinCase, testing::Range(0, 6));

TEST(AlphaJoin, RandomAlphaStaysWhereColourIsNotNoisy) {
  const Image input = render(testRandom(), {83, 61}, 0.0),
              alpha = randomImage(testRandom(), Channels::rgb, Format::f32, {83, 61}, false);
  EXPECT_EQ(joined(input, input, alpha).words, input.words);
}

TEST(AlphaSplit, RandomAlphaBecomesGrey) {
  Image image = randomImage(testRandom(), Channels::rgba, Format::f32, {29, 17}, false);
  const float wrong[] = {std::numeric_limits<float>::quiet_NaN(), -0.5F, 1.5F};
  for (uint32_t i = 0; i < 3; ++i)
    image.set(i, 0, 3, wrong[i]);
  MemoryGraph graph = graphAround("alpha-split", image, "");
  const Image output = run(graph, "auto").at("out");
  for (uint32_t y = 0; y < 17; ++y) {
    for (uint32_t x = 0; x < 29; ++x) {
      const double own = image.at(x, y, 3);
      for (uint32_t c = 0; c < 3; ++c)
        EXPECT_EQ(output.at(x, y, c), own > 0.0 ? std::min(own, 1.0) : 0.0);
    }
  }
}

}  // namespace
}  // namespace lacuna::test
