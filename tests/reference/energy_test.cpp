// energy against its double-precision version: written from its README.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

constexpr int blockSide = 8;

bool isLight(double v) {
  return v >= 0.0 && v < 1e30;
}

double lightAt(const Picture& p, int x, int y) {
  const double* v = p.at(x, y);
  return 0.212639006 * v[0] + 0.715168679 * v[1] + 0.072192315 * v[2];
}

Picture blocksOf(const Picture& p, int components) {
  return {(p.width + blockSide - 1) / blockSide, (p.height + blockSide - 1) / blockSide, components};
}

Picture lightOfBlocks(const Picture& noisy, const Picture& input) {
  Picture light = blocksOf(input, 2);
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      const double before = lightAt(noisy, x, y), after = lightAt(input, x, y);
      if (isLight(before) && isLight(after)) {
        light.at(x / blockSide, y / blockSide)[0] += before;
        light.at(x / blockSide, y / blockSide)[1] += after;
      }
    }
  }
  return light;
}

// Sums by Gaussian weights of the pixels that are there, and the sum of the weights.
std::array<double, 3> around(const Picture& p, int x, int y, int radius, double sigma) {
  std::array<double, 3> sums{};
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      if (p.contains(x + dx, y + dy)) {
        const double w = std::exp(-(dx * dx + dy * dy) / (2.0 * sigma * sigma));
        for (int c = 0; c < p.components; ++c) {
          sums[static_cast<size_t>(c)] += w * p.at(x + dx, y + dy)[c];
        }
        sums[2] += w;
      }
    }
  }
  return sums;
}

Picture ratios(const Picture& light, double limit) {
  Picture sharp(light.width, light.height, 1), smooth = sharp;
  for (int y = 0; y < light.height; ++y) {
    for (int x = 0; x < light.width; ++x) {
      const auto sums = around(light, x, y, 2, 1.0);
      *sharp.at(x, y) = std::clamp(sums[1] > 0.0 ? sums[0] / sums[1] : 1.0, 1.0 - limit, 1.0 + limit);
    }
  }
  for (int y = 0; y < light.height; ++y) {
    for (int x = 0; x < light.width; ++x) {
      const auto sums = around(sharp, x, y, 6, 3.0);
      *smooth.at(x, y) = sums[0] / sums[2];
    }
  }
  return smooth;
}

double between(const Picture& blocks, int x, int y) {
  const double column = (x + 0.5) / blockSide - 0.5, row = (y + 0.5) / blockSide - 0.5;
  const auto at = [&](int i, int j) {
    return *blocks.at(std::clamp(i, 0, blocks.width - 1), std::clamp(j, 0, blocks.height - 1));
  };
  const int i = static_cast<int>(std::floor(column)), j = static_cast<int>(std::floor(row));
  return std::lerp(std::lerp(at(i, j), at(i + 1, j), column - i),
                   std::lerp(at(i, j + 1), at(i + 1, j + 1), column - i), row - j);
}

Picture expectedOf(const Picture& input, const Picture& noisy, double limit) {
  const Picture factors = ratios(lightOfBlocks(noisy, input), limit);
  Picture output = input;
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        output.at(x, y)[c] *= between(factors, x, y);
      }
    }
  }
  return output;
}

Image outputOf(const Image& input, const Image& noisy, const std::string& parameters) {
  MemoryGraph graph = graphAround(
      "energy", input, "module:i-memory:noisy\nconnect:i-memory:noisy:output:energy:01:noisy\n" + parameters);
  graph.sources["noisy"] = noisy;
  return run(graph, "auto").at("out");
}

class EnergyCase : public testing::TestWithParam<int> {};

TEST_P(EnergyCase, RandomPicturesAgreeWithItsReference) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  const Format format = GetParam() % 2 == 0 ? Format::f32 : Format::f16;
  const Image input = randomImage(random, Channels::rgba, format, extent, false);
  Image noisy = randomImage(random, Channels::rgba, Format::f32, extent, false);
  noisy.set(0, 0, 1, std::numeric_limits<float>::infinity());  // counts in neither
  const double limit = uniform(random, 0.0, 0.3);
  expectAgrees(outputOf(input, noisy, fmt::format("param:energy:01:limit:{:.9f}\n", limit)),
               expectedOf(pictureOf(input), pictureOf(noisy), limit));
}

INSTANTIATE_TEST_SUITE_P(Energy, EnergyCase, testing::Range(0, 6));

TEST(Energy, KeepsRandomPicturesWithAllLight) {
  const Image image = randomImage(testRandom(), Channels::rgba, Format::f32, {83, 41}, false);
  expectAgrees(outputOf(image, image, ""), pictureOf(image));
}

}  // namespace
}  // namespace lacuna::test
