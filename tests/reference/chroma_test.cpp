// chroma against its double-precision version: written from its README.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tests/reference/blocks.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

constexpr double amount = 0.2;
constexpr std::array<double, 3> luminanceWeights = {0.212639006, 0.715168679, 0.072192315};

double luminanceOf(const double* colour) {
  return luminanceWeights[0] * colour[0] + luminanceWeights[1] * colour[1] + luminanceWeights[2] * colour[2];
}

// Noise over luminance, and mean luminance, of blocks.
Picture noiseOf(const Blocks& blocks) {
  Picture noise(blocks.light.width, blocks.light.height, 2);
  for (int y = 0; y < noise.height; ++y) {
    for (int x = 0; x < noise.width; ++x) {
      double light = 0.0, squares = 0.0, count = 0.0;
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          if (noise.contains(x + dx, y + dy)) {
            const double w = std::exp(-(dx * dx + dy * dy) / (2 * 0.75 * 0.75));
            const double* square = blocks.squares.at(x + dx, y + dy);
            light += w * luminanceOf(blocks.light.at(x + dx, y + dy));
            squares += w * (square[0] + square[1] + square[2]);
            count += w * blocks.count.at(x + dx, y + dy)[0];
          }
        }
      }
      const double n = std::max(count, 1.0), mean = light / n;
      noise.at(x, y)[0] = std::sqrt(squares / n) / std::max(mean, 1e-30);
      noise.at(x, y)[1] = mean;
    }
  }
  return noise;
}

bool isFiltered(const double* colour) {
  return isLight(colour) && luminanceOf(colour) > 0.0;
}

// Red, blue, logarithm of luminance, tolerance.
Picture stateOf(const Picture& input, const Picture& noise) {
  Picture state(input.width, input.height, 4);
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      const double* colour = input.at(x, y);
      const double own = luminanceOf(colour);
      const std::array<double, 4> values = {colour[0] / own, colour[2] / own,
                                            std::log(own + 0.05 * between(noise, x, y, 1)),
                                            std::clamp(amount * between(noise, x, y, 0), 1e-3, 0.12)};
      const std::array<double, 4> unlike = {1.0, 1.0, 1e4, 1e-3};
      std::ranges::copy(isFiltered(colour) ? values : unlike, state.at(x, y));
    }
  }
  return state;
}

void smoothPixel(const Picture& state, int x, int y, int step, double* result) {
  const double* own = state.at(x, y);
  double total = 0.0, red = 0.0, blue = 0.0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      if (!state.contains(x + dx * step, y + dy * step))
        continue;
      const double* tap = state.at(x + dx * step, y + dy * step);
      const double r = (tap[0] - own[0]) / (1.2 * own[3]), b = (tap[1] - own[1]) / (1.2 * own[3]);
      const double l = (tap[2] - own[2]) / own[3];
      const double w = spline[dx + 2] * spline[dy + 2] * std::exp(-(r * r + b * b + l * l));
      total += w;
      red += w * tap[0];
      blue += w * tap[1];
    }
  }
  result[0] = red / total;
  result[1] = blue / total;
}

Picture expectedOf(const Picture& input, const Picture& noisy) {
  Picture state = stateOf(input, noiseOf(blocksOf(noisy, input)));
  for (const int step : {1, 2, 4}) {
    Picture next = state;
    for (int y = 0; y < input.height; ++y)
      for (int x = 0; x < input.width; ++x)
        smoothPixel(state, x, y, step, next.at(x, y));
    state = next;
  }
  Picture output = input;
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      if (isFiltered(input.at(x, y))) {
        const double own = luminanceOf(input.at(x, y)), red = state.at(x, y)[0], blue = state.at(x, y)[1];
        const double green =
            (1.0 - luminanceWeights[0] * red - luminanceWeights[2] * blue) / luminanceWeights[1];
        output.at(x, y)[0] = own * red;
        output.at(x, y)[1] = own * std::max(green, 0.0);
        output.at(x, y)[2] = own * blue;
      }
    }
  }
  return output;
}

// One colour, mottled by up to `most`.
Image mottled(std::mt19937_64& random, Format format, Extent extent, double most) {
  Image image = makeImage(Channels::rgba, format, extent);
  const std::array<double, 4> colour = {0.4, 0.5, 0.3, 0.7};
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x)
      for (uint32_t c = 0; c < 4; ++c)
        image.set(x, y, c, static_cast<float>(colour[c] * (1.0 + uniform(random, -most, most))));
  }
  return image;
}

class ChromaCase : public testing::TestWithParam<int> {};

TEST_P(ChromaCase, RandomPicturesAgreeWithItsReference) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  Image input = mottled(random, GetParam() % 2 == 0 ? Format::f32 : Format::f16, extent, 0.1);
  Image noisy = randomImage(random, Channels::rgba, Format::f32, extent, false);
  input.set(extent.width / 2, 0, 0, 0.0F);
  input.set(extent.width / 3, extent.height / 2, 0, -0.2F);  // the luminance is above zero
  noisy.set(0, 0, 1, std::numeric_limits<float>::infinity());
  input.set(extent.width - 1, extent.height - 1, 2, std::numeric_limits<float>::quiet_NaN());
  const Image output = besideNoisy("chroma", input, noisy);
  expectAgrees(output, expectedOf(pictureOf(input), pictureOf(noisy)));
}

INSTANTIATE_TEST_SUITE_P(Chroma, ChromaCase, testing::Range(0, 6));

// Where nothing was noisy, 1% is detail.
TEST(Chroma, KeepsRandomColoursWithoutNoise) {
  const Image image = mottled(testRandom(), Format::f32, {83, 41}, 0.1);
  const Picture before = pictureOf(image), after = pictureOf(besideNoisy("chroma", image, image));
  for (int y = 0; y < before.height; ++y) {
    for (int x = 0; x < before.width; ++x)
      for (int c = 0; c < 4; ++c)
        EXPECT_NEAR(after.at(x, y)[c], before.at(x, y)[c], 0.001);
  }
}

}  // namespace
}  // namespace lacuna::test
