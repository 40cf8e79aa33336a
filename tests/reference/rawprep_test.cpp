// Hot pixels, stars and highlights in rawprep.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/reference/demosaic.h"
#include "tests/reference/rawprep.h"
#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

Image prepared(const Image& image, const std::string& parameters) {
  return run(graphAround("rawprep", image, parameters), "auto").at("out");
}

// Noise of a dark picture is not hot; what is far above that is.
TEST(RawMending, HotPixelsAreAboveNoise) {
  Image image = makeImage(Channels::mosaic, Format::f32, {16, 12}, ColourTag::data);
  image.type.pattern = *patternFromName("rggb");
  image.set(4, 4, 0, 0.015);
  image.set(11, 7, 0, 0.025);
  const std::string text =
      "param:rawprep:01:white:1\nparam:rawprep:01:red:1\nparam:rawprep:01:blue:1\nparam:rawprep:01:precision:"
      "f32\n";
  const Image output = prepared(image, text);
  EXPECT_NEAR(output.at(4, 4, 0), 0.015, 1e-6);
  EXPECT_EQ(output.at(11, 7, 0), 0.0);
}

const char* const unitGains = "param:rawprep:01:white:1\nparam:rawprep:01:precision:f32\n";

// A mosaic of equal light with noise of the given variance a x + b.
Image noisyMosaic(double light, double a, double b) {
  Image image = makeImage(Channels::mosaic, Format::f32, {256, 256}, ColourTag::data);
  image.type.pattern = *patternFromName("rggb");
  std::normal_distribution<double> normal(0.0, std::sqrt(a * light + b));
  for (uint32_t i = 0; i < 256 * 256; ++i)
    image.set(i % 256, i / 256, 0, light + normal(testRandom()));
  return image;
}

std::string noiseText(double a, double b) {
  return fmt::format(
      "{}param:rawprep:01:highlights:off\nparam:rawprep:01:noise_a:{}\nparam:rawprep:01:noise_b:{}\n",
      unitGains, a, b);
}

// Stars as narrow as optics make them, wherever they lie between pixels, and however faint.
TEST(RawMending, RandomStarsStay) {
  constexpr double a = 0.0008, b = 2e-6;
  Image image = noisyMosaic(0.003, a, b);
  const auto set = [&](int x, int y, double value) {
    image.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0, value);
  };
  for (int row = 8; row < 248; row += 12) {
    for (int column = 8; column < 248; column += 12) {
      const double width = uniform(testRandom(), 1.5, 3.0) / 2.3548,
                   light = std::pow(10.0, uniform(testRandom(), -1.3, 0.0));
      const double x0 = column + uniform(testRandom(), -0.5, 0.5),
                   y0 = row + uniform(testRandom(), -0.5, 0.5);
      for (int y = row - 5; y <= row + 5; ++y) {
        for (int x = column - 5; x <= column + 5; ++x) {
          const double squared = (x - x0) * (x - x0) + (y - y0) * (y - y0);
          const double own = light * std::exp(-0.5 * squared / (width * width));
          set(x, y,
              image.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0) + own +
                  std::sqrt(a * own) * std::normal_distribution<double>()(testRandom()));
        }
      }
    }
  }
  const Image whole = prepared(image, noiseText(a, b) + "param:rawprep:01:hot_pixels:false\n");
  EXPECT_EQ(prepared(image, noiseText(a, b)).words, whole.words);
}

// Also pairs, of one colour and of two, at edges and in corners; all else keeps its bits.
TEST(RawMending, RandomHotPixelsAndPairsAreMended) {
  constexpr double a = 0.0008, b = 2e-6, light = 0.2;
  Image image = noisyMosaic(light, a, b);
  const Image before = image;
  const std::pair<uint32_t, uint32_t> pairs[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}, {2, 2}};
  std::vector<std::pair<uint32_t, uint32_t>> hot;
  for (uint32_t k = 0; k < 7 * 64; ++k) {
    const uint32_t x = k % 21 * 12 + k / 7 % 2, y = k / 21 * 12 + k / 14 % 2;
    hot.emplace_back(x, y);
    if (k % 7 > 0)
      hot.emplace_back(x + pairs[k % 7].first, y + pairs[k % 7].second);
  }
  for (const auto& [x, y] : hot)
    image.set(x, y, 0, image.at(x, y, 0) + uniform(testRandom(), 0.3, 0.8));
  const Image output = prepared(image, noiseText(a, b));
  uint32_t left = 0, changed = 0;
  for (uint32_t i = 0; i < 256 * 256; ++i) {
    const uint32_t x = i % 256, y = i / 256;
    const bool isHot = std::ranges::find(hot, std::pair(x, y)) != hot.end();
    left += isHot && std::abs(output.at(x, y, 0) - light) > 0.07 ? 1 : 0;
    changed += !isHot && output.at(x, y, 0) != before.at(x, y, 0) ? 1 : 0;
  }
  EXPECT_LE(left, hot.size() / 50);
  EXPECT_EQ(changed, 0u);
}

// Petals of one colour, full in red where they are bright; a white wall behind keeps its colour.
TEST(RawMending, FullPetalsKeepTheirColour) {
  const double petal[] = {0.9, 0.25, 0.3}, wall[] = {0.5, 1.0, 0.75};
  Image image = makeImage(Channels::mosaic, Format::f32, {240, 240}, ColourTag::data);
  image.type.pattern = *patternFromName("rggb");
  const auto lightOf = [&](uint32_t x, uint32_t y, int c) {
    const double d = std::hypot(x - 119.5, y - 119.5);
    return d < 90.0 ? petal[c] * (2.0 - d / 60.0) : 0.3 * wall[c];
  };
  for (uint32_t i = 0; i < 240 * 240; ++i) {
    const int c = colourAt(image.type.pattern, static_cast<int>(i % 240), static_cast<int>(i / 240));
    image.set(i % 240, i / 240, 0, std::min(lightOf(i % 240, i / 240, c), 1.0));
  }
  const Image output =
      prepared(image, fmt::format("{}param:rawprep:01:red:2\nparam:rawprep:01:blue:1.5\n", unitGains));
  for (uint32_t y = 40; y < 200; y += 2) {
    for (uint32_t x = 40; x < 200; x += 2)
      if (lightOf(x, y, 0) >= 0.98)
        ASSERT_NEAR(output.at(x, y, 0), 2.0 * lightOf(x, y, 0), 0.1 * lightOf(x, y, 0)) << x << " " << y;
      else
        ASSERT_NEAR(output.at(x, y, 0), 2.0 * lightOf(x, y, 0), 1e-5) << x << " " << y;
  }
}

TEST(RawMending, FullHighlightsAreNeutral) {
  Image image = makeImage(Channels::mosaic, Format::u16, {32, 24}, ColourTag::data);
  image.type.pattern = *patternFromName("rggb");
  for (uint32_t i = 0; i < 32 * 24; ++i)
    image.set(i % 32, i / 32, 0, 0.25);
  const std::string text = "param:rawprep:01:white:0.25\nparam:rawprep:01:red:2\nparam:rawprep:01:blue:1.5\n";
  const Image output = prepared(image, text);
  for (uint32_t i = 0; i < 32 * 24; ++i)
    ASSERT_EQ(output.at(i % 32, i / 32, 0), 2.0);
  // Whichever colour is full at the least light.
  for (const auto& [red, green, blue] : {std::tuple(0.5, 1.0, 1.5), {1.5, 0.5, 1.0}, {1.0, 1.5, 0.5}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", red, green, blue));
    const Image clipped = prepared(
        image, fmt::format("param:rawprep:01:white:0.25\nparam:rawprep:01:red:{}\nparam:rawprep:01:green:{}\n"
                           "param:rawprep:01:blue:{}\nparam:rawprep:01:highlights:clip\n"
                           "param:rawprep:01:hot_pixels:false\n",
                           red, green, blue));
    for (uint32_t i = 0; i < 32 * 24; ++i)
      ASSERT_EQ(clipped.at(i % 32, i / 32, 0), 0.5);
  }
}

// Highlights of a picture that has all colours: a coloured light over noise, cut off where each colour is
// full.
TEST(RawMending, RandomPicturesAreRebuiltAsTheirReference) {
  const std::array<double, 3> gains{2.0, 1.0, 1.5};
  for (const Extent extent : {Extent{1, 1}, {17, 1}, {127, 59}}) {
    Image image = randomImage(testRandom(), Channels::rgba, Format::f32, extent, false);
    image.type.colour = ColourTag::data;
    const double colour[] = {1.7, 1.4, 0.9};
    for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
      const uint32_t x = i % extent.width, y = i / extent.width;
      const double light = 1.6 * std::exp(-0.001 * (std::pow(x - 40.0, 2) + std::pow(y - 20.0, 2)));
      for (int c = 0; c < 3; ++c)
        image.set(
            x, y, c,
            std::min(light * colour[c] + uniform(testRandom(), 0.0, 0.3), gains.at(static_cast<size_t>(c))));
    }
    const Image output =
        run(graphAround("highlights", image, "param:highlights:01:red:2\nparam:highlights:01:blue:1.5\n"),
            "auto")
            .at("out");
    expectAgrees(output, rebuiltHighlights(pictureOf(image), gains));
  }
}

}  // namespace
}  // namespace lacuna::test
