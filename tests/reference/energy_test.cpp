// energy against its double-precision version: written from its README.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/reference/blocks.h"
#include "tests/reference/reference.h"
#include "tests/support/differences.h"

namespace lacuna::test {
namespace {

struct Bounds {
  double limit, caution;
};

// Of a block's sum of differences, by the spread of its pixels.
double varianceOf(const Blocks& blocks, int x, int y, int c) {
  const double count = blocks.count.at(x, y)[c], difference = blocks.difference.at(x, y)[c];
  return count < 2.0 ? 0.0
                     : std::max(blocks.squares.at(x, y)[c] - difference * difference / count, 0.0) * count /
                           (count - 1.0);
}

double ratioAt(const Blocks& blocks, int x, int y, int c, Bounds bounds) {
  const double own = blocks.light.at(x, y)[c] / blocks.count.at(x, y)[c];
  double light = 0.0, difference = 0.0, variance = 0.0;
  for (int dy = -5; dy <= 5; ++dy) {
    for (int dx = -5; dx <= 5; ++dx) {
      if (blocks.light.contains(x + dx, y + dy)) {
        const double l = blocks.light.at(x + dx, y + dy)[c] / blocks.count.at(x + dx, y + dy)[c];
        const double brighter = own > 0.0 ? l / own / 32.0 : l > 0.0 ? 1e30 : 0.0;
        const double w = std::exp(-(dx * dx + dy * dy) / 8.0) / (1.0 + std::pow(brighter, 4));
        light += w * blocks.light.at(x + dx, y + dy)[c];
        difference += w * blocks.difference.at(x + dx, y + dy)[c];
        variance += w * w * varianceOf(blocks, x + dx, y + dy, c);
      }
    }
  }
  const double power = difference * difference;
  const double certain = power == 0.0 ? 0.0 : power / (power + bounds.caution * bounds.caution * variance);
  return std::clamp(1.0 + certain * difference / std::max(light, 1e-30), 1.0 - bounds.limit,
                    1.0 + bounds.limit);
}

Picture ratios(const Blocks& blocks, Bounds bounds) {
  Picture found = blocks.light;
  for (int y = 0; y < found.height; ++y) {
    for (int x = 0; x < found.width; ++x)
      for (int c = 0; c < 3; ++c)
        found.at(x, y)[c] = ratioAt(blocks, x, y, c, bounds);
  }
  return found;
}

// Of the blocks around, those count less that are darker than the pixel.
Picture expectedOf(const Picture& input, const Picture& noisy, Bounds bounds) {
  const Blocks blocks = blocksOf(noisy, input);
  const Picture factors = ratios(blocks, bounds);
  Picture output = input;
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const double own = output.at(x, y)[c];
        output.at(x, y)[c] *= between(factors, x, y, c, [&](int i, int j) {
          const double mean = blocks.light.at(i, j)[c] / std::max(blocks.count.at(i, j)[c], 1.0);
          return own > 0.0 ? std::clamp(mean / own, 1e-20, 1.0) : 1.0;
        });
      }
    }
  }
  return output;
}

class EnergyCase : public testing::TestWithParam<int> {};

TEST_P(EnergyCase, RandomPicturesAgreeWithItsReference) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  const Format format = GetParam() % 2 == 0 ? Format::f32 : Format::f16;
  Image input = randomImage(random, Channels::rgba, format, extent, false);
  Image noisy = randomImage(random, Channels::rgba, Format::f32, extent, false);
  // Both count in neither picture.
  noisy.set(0, 0, 1, std::numeric_limits<float>::infinity());
  input.set(extent.width / 2, extent.height / 2, 2, -0.5);
  const Bounds bounds{uniform(random, 0.0, 0.3), uniform(random, 0.0, 5.0)};
  expectAgrees(besideNoisy("energy", input, noisy,
                           fmt::format("param:energy:01:limit:{:.9f}\nparam:energy:01:caution:{:.9f}\n",
                                       bounds.limit, bounds.caution)),
               expectedOf(pictureOf(input), pictureOf(noisy), bounds));
}

INSTANTIATE_TEST_SUITE_P(Energy, EnergyCase, testing::Range(0, 6));

// All add in the same order.
TEST(EnergyVariants, OnRandomPicturesHaveTheSameBits) {
  std::mt19937_64& random = testRandom();
  const Extent extent{83, 45};
  Image input = randomImage(random, Channels::rgba, Format::f32, extent, false);
  const Image noisy = randomImage(random, Channels::rgba, Format::f32, extent, false);
  input.set(80, 2, 0, -0.5);
  for (const char* module : {"energy", "chroma"}) {
    const Image expected = besideNoisy(module, input, noisy, {}, {}, "means@8x8");
    for (const char* name : {"means@32x8", "blocks@8x1", "blocks@8x8"})
      EXPECT_EQ(differences(expected, besideNoisy(module, input, noisy, {}, {}, name)), "")
          << module << ", " << name;
  }
}

TEST(Energy, KeepsRandomPicturesWithAllLight) {
  const Image image = randomImage(testRandom(), Channels::rgba, Format::f32, {83, 41}, false);
  expectAgrees(besideNoisy("energy", image, image), pictureOf(image));
}

// A denoised picture that lost red, and one that lost a single bright pixel of the noisy one.
TEST(Energy, RestoresLostColourButNoFirefly) {
  const Extent extent{96, 80};
  Image noisy = makeImage(Channels::rgba, Format::f32, extent), flat = noisy;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      for (uint32_t c = 0; c < 3; ++c) {
        flat.set(x, y, c, c == 0 ? 0.35F : 0.5F);
        noisy.set(x, y, c, 0.5F + ((x + y) % 2 == 0 ? 0.3F : -0.3F));
      }
    }
  }
  noisy.set(48, 40, 1, 300.0F);
  const Picture output = pictureOf(besideNoisy("energy", flat, noisy, "param:energy:01:limit:0.5\n"));
  EXPECT_NEAR(output.at(70, 10)[0], 0.5, 0.02);
  EXPECT_NEAR(output.at(70, 10)[2], 0.5, 0.01);
  EXPECT_LT(output.at(48, 40)[1], 0.55);
}

}  // namespace
}  // namespace lacuna::test
