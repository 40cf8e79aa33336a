// firefly where two neighbours of a missing pixel are almost equally bright.

#include <gtest/gtest.h>

#include <array>

#include "tests/reference/reference.h"
#include "tests/reference/temporal.h"

namespace lacuna::test {
namespace {

using PixelColour = std::array<double, 3>;

// Left, a missing pixel, right.
Image threePixels(const PixelColour& left, const PixelColour& right) {
  Image image = makeImage(Channels::rgba, Format::f32, {3, 1});
  for (int c = 0; c < 3; ++c) {
    image.set(0, 0, c, left[static_cast<size_t>(c)]);
    image.set(1, 0, c, std::nan(""));
    image.set(2, 0, c, right[static_cast<size_t>(c)]);
  }
  return image;
}

bool isFilledFrom(uint32_t x, const Image& input, const Image& output) {
  bool isSame = true;
  for (int c = 0; c < 3; ++c)
    isSame = isSame && output.at(1, 0, c) == input.at(x, 0, c);
  return isSame;
}

// Luminances .65193678 and .65193683: 5e-8 apart, where float's steps are 6e-8. In float they may be equal.
const PixelColour darker = {0x1.7b7e7ap-1, 0x1.4a15d4p-1, 0x1.d7c9dap-2};
const PixelColour brighter = {0x1.92cb5cp-1, 0x1.3c9d52p-1, 0x1.2cb62cp-1};

TEST(FireflyTies, EitherNeighbourFillsAPixelWhole) {
  for (const Image& image : {threePixels(darker, brighter), threePixels(brighter, darker)}) {
    EXPECT_EQ(fireflyTies(pictureOf(image)), (std::vector<std::pair<int, int>>{{1, 0}}));
    const Image filled = run(graphAround("firefly", image, ""), "auto").at("out");
    EXPECT_TRUE(isFilledFrom(0, image, filled) || isFilledFrom(2, image, filled));
  }
}

// 1e-6 apart, where roundings make at most 5e-7 (four of .65 / 2^24 for each): the darker one of two is the
// median.
TEST(FireflyTies, TheMedianFillsAPixelFurtherApart) {
  PixelColour clearlyBrighter = brighter;
  clearlyBrighter[1] += 1.4e-6;
  for (const bool isDarkerFirst : {true, false}) {
    const Image image =
        isDarkerFirst ? threePixels(darker, clearlyBrighter) : threePixels(clearlyBrighter, darker);
    EXPECT_TRUE(fireflyTies(pictureOf(image)).empty());
    const Image filled = run(graphAround("firefly", image, ""), "auto").at("out");
    EXPECT_TRUE(isFilledFrom(isDarkerFirst ? 0 : 2, image, filled));
  }
}

TEST(FireflyTies, TheFirstOfEqualNeighboursIsNoTie) {
  EXPECT_TRUE(fireflyTies(pictureOf(threePixels(darker, darker))).empty());
}

}  // namespace
}  // namespace lacuna::test
