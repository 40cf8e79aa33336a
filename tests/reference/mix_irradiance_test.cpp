// mix-irradiance against its double-precision version: written from its README.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/reference/blocks.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

struct Pictures {
  Picture input, other, noisy, albedo;
};

double greyOf(const double* colour) {
  return 0.212639006 * colour[0] + 0.715168679 * colour[1] + 0.072192315 * colour[2];
}

double divisorOf(const double* albedo) {
  double clean[3] = {};
  for (int c = 0; c < 3; ++c)
    clean[c] = albedo[c] > 0.0 ? std::min(albedo[c], 1.0) : 0.0;
  const double grey = greyOf(clean);
  return grey < 1.0 / 1024.0 ? 1.0 : std::max(grey, 0.02);
}

// Sums over a block: luminance, squares of what was removed, pixels; roughness of both pictures and its
// terms.
struct Block {
  double light = 0.0, removed = 0.0, count = 0.0;
  double rough[2] = {}, terms = 0.0;
};

Block sumsAt(const Pictures& p, int left, int top) {
  const auto counts = [&](int x, int y) {
    return p.input.contains(x, y) && isLight(p.input.at(x, y)) && isLight(p.other.at(x, y)) &&
           isLight(p.noisy.at(x, y));
  };
  const auto irradianceAt = [&](const Picture& picture, int x, int y) {
    return greyOf(picture.at(x, y)) / divisorOf(p.albedo.at(x, y));
  };
  Block block;
  double irradiance = 0.0;
  for (int y = top; y < top + blockSide; ++y)
    for (int x = left; x < left + blockSide; ++x)
      if (counts(x, y)) {
        irradiance += irradianceAt(p.input, x, y);
        block.light += greyOf(p.input.at(x, y));
        block.removed += std::pow(greyOf(p.noisy.at(x, y)) - greyOf(p.input.at(x, y)), 2);
        block.count += 1.0;
      }
  const double dark = 0.05 * irradiance / block.count + 1e-20;
  const auto add = [&](int x, int y, int dx, int dy) {
    if (!counts(x, y) || !counts(x - dx, y - dy) || !counts(x + dx, y + dy))
      return;
    block.terms += 1.0;
    for (int k = 0; k < 2; ++k) {
      const auto log = [&](int i, int j) {
        return std::log(irradianceAt(k == 0 ? p.input : p.other, i, j) + dark);
      };
      const double d = log(x, y) - (log(x - dx, y - dy) + log(x + dx, y + dy)) / 2;
      block.rough[k] += std::min(d * d, 1.0);
    }
  };
  for (int y = 0; y < blockSide; ++y)
    for (int x = 2; x < blockSide - 2; ++x) {
      add(left + x, top + y, 2, 0);
      add(left + y, top + x, 0, 2);
    }
  return block;
}

// Of `other`, and the mean luminance.
std::array<double, 2> shareAt(const std::vector<Block>& blocks, int columns, int rows, int column, int row,
                              double share) {
  Block sum;
  for (int y = std::max(row - 2, 0); y <= std::min(row + 2, rows - 1); ++y)
    for (int x = std::max(column - 2, 0); x <= std::min(column + 2, columns - 1); ++x) {
      const Block& block = blocks[static_cast<size_t>(y) * columns + x];
      const double w = std::exp(-((x - column) * (x - column) + (y - row) * (y - row)) / 2.0);
      sum.light += w * block.light;
      sum.removed += w * block.removed;
      sum.count += w * block.count;
      sum.rough[0] += w * block.rough[0];
      sum.rough[1] += w * block.rough[1];
      sum.terms += w * block.terms;
    }
  const double count = std::max(sum.count, 1e-6), terms = std::max(sum.terms, 1e-6);
  const double light = sum.light / count, noise = sum.removed / count / std::max(light * light, 1e-30);
  const double smoother = (sum.rough[0] / terms + 1e-6) / (sum.rough[1] / terms + 1e-6);
  return {std::min(smoother / (smoother + 1.0 / share - 1.0),
                   share + (0.9 - share) / (1.0 + std::pow(noise / 0.04, 2))),
          light};
}

Picture expectedOf(const Pictures& p, double share) {
  const int columns = (p.input.width + blockSide - 1) / blockSide,
            rows = (p.input.height + blockSide - 1) / blockSide;
  std::vector<Block> blocks;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      blocks.push_back(sumsAt(p, column * blockSide, row * blockSide));
  Picture shares(columns, rows, 2), output = p.input;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      std::ranges::copy(shareAt(blocks, columns, rows, column, row, share), shares.at(column, row));
  for (int y = 0; y < output.height; ++y)
    for (int x = 0; x < output.width; ++x) {
      const double *own = p.input.at(x, y), *other = p.other.at(x, y);
      const double s = between(shares, x, y, 0), dark = 0.05 * between(shares, x, y, 1);
      for (int c = 0; c < 3 && isLight(own) && isLight(other); ++c)
        output.at(x, y)[c] =
            std::exp((1.0 - s) * std::log(own[c] + dark) + s * std::log(other[c] + dark)) - dark;
    }
  return output;
}

Image mixOf(const Image& input, const Image& other, const Image& noisy, const Image& albedo,
            const std::string& more = {}) {
  return besideNoisy("mix-irradiance", input, noisy,
                     "i-memory:other other=mix-irradiance\ni-memory:albedo albedo=mix-irradiance\n" + more,
                     {{"other", other}, {"albedo", albedo}});
}

class MixIrradianceCase : public testing::TestWithParam<int> {};

TEST_P(MixIrradianceCase, RandomPicturesAgreeWithItsReference) {
  std::mt19937_64& random = testRandom();
  const Extent extent = extentOfCase(GetParam(), random);
  Image input = randomImage(random, Channels::rgba, Format::f32, extent, false);
  Image other = randomImage(random, Channels::rgba, Format::f32, extent, false);
  // Little noise in every second case, and `other` nearly even.
  Image noisy = GetParam() % 2 == 0 ? randomImage(random, Channels::rgba, Format::f32, extent, false) : input;
  for (uint32_t y = 0; GetParam() % 2 != 0 && y < extent.height; ++y)
    for (uint32_t x = 0; x < extent.width; ++x)
      for (uint32_t c = 0; c < 3; ++c)
        other.set(x, y, c, uniform(random, 0.4, 0.6));
  Image albedo = randomImage(random, Channels::rgb, Format::f16, extent, false);
  // Those count nowhere; a lamp is black.
  noisy.set(0, 0, 1, std::numeric_limits<float>::infinity());
  input.set(extent.width / 2, extent.height / 2, 2, -0.5);
  for (uint32_t c = 0; c < 3; ++c)
    albedo.set(extent.width - 1, extent.height - 1, c, 0.0F);
  const double share = uniform(random, 0.02, 0.8);
  expectAgrees(
      mixOf(input, other, noisy, albedo, fmt::format("param:mix-irradiance:01:share:{:.9f}\n", share)),
      expectedOf({pictureOf(input), pictureOf(other), pictureOf(noisy), pictureOf(albedo)}, share));
}

INSTANTIATE_TEST_SUITE_P(MixIrradiance, MixIrradianceCase, testing::Range(0, 6));

// Stripes in even light: a picture that lost them gets them back where hardly any noise was removed. Where
// much was, albedo is noisy, too.
TEST(MixIrradiance, TakesTexturesOfAlbedoWhereLittleNoiseWasRemoved) {
  const Extent extent{64, 64};
  Image flat = makeImage(Channels::rgba, Format::f32, extent), textured = flat, noisy = flat;
  Image albedo = makeImage(Channels::rgb, Format::f32, extent);
  for (uint32_t y = 0; y < extent.height; ++y)
    for (uint32_t x = 0; x < extent.width; ++x)
      for (uint32_t c = 0; c < 3; ++c) {
        const float stripe = x / 2 % 2 == 0 ? 0.8F : 0.4F;
        albedo.set(x, y, c, stripe);
        flat.set(x, y, c, 0.6F);
        textured.set(x, y, c, stripe);
        noisy.set(x, y, c, y % 2 == 0 ? 2.0F * stripe : 0.0F);
      }
  const auto contrast = [](const Image& image) {
    const Picture picture = pictureOf(image);
    return picture.at(32, 32)[1] - picture.at(34, 32)[1];
  };
  EXPECT_LT(contrast(mixOf(flat, textured, noisy, albedo)), 0.1);
  EXPECT_GT(contrast(mixOf(flat, textured, flat, albedo)), 0.3);
  EXPECT_GT(contrast(mixOf(textured, flat, textured, albedo)), 0.38);
}

}  // namespace
}  // namespace lacuna::test
