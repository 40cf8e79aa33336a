// RMS by blocks against its definition: pixel by pixel, in double precision.

#include "tools/metrics/block_rms.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/io/support.h"

namespace lacuna::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

// Values of both signs and several magnitudes, like radiance.
ColourImage radiance(Extent extent) {
  ColourImage made{extent, ColourTag::rec709, std::vector<float>(size_t{3} * extent.width * extent.height)};
  for (float& value : made.rgb)
    value = static_cast<float>(uniform(testRandom(), -0.1, 1.0) * std::exp(uniform(testRandom(), -4.0, 4.0)));
  return made;
}

// The block of a pixel: the largest i with floor(i * side / count) not behind it.
uint32_t blockAlong(uint32_t pixel, uint32_t side, uint32_t count) {
  uint32_t block = 0;
  while (block + 1 < count && uint64_t{block + 1} * side / count <= pixel)
    ++block;
  return block;
}

size_t blockOf(uint32_t x, uint32_t y, Extent extent, Blocks blocks) {
  const uint32_t fromTop = blockAlong(y, extent.height, blocks.rows);
  return size_t{blocks.rows - 1 - fromTop} * blocks.columns + blockAlong(x, extent.width, blocks.columns);
}

std::vector<double> rmsByPixels(const ColourImage& a, const ColourImage& b, Blocks blocks) {
  std::vector<double> squares(blocks.count()), counts(blocks.count());
  for (uint32_t y = 0; y < b.extent.height; ++y)
    for (uint32_t x = 0; x < b.extent.width; ++x)
      for (size_t c = 0; c < 3; ++c) {
        const size_t at = 3 * (size_t{y} * b.extent.width + x) + c, block = blockOf(x, y, b.extent, blocks);
        squares[block] += std::pow(double{a.rgb[at]} - double{b.rgb[at]}, 2.0);
        counts[block] += 1.0;
      }
  std::vector<double> rms(blocks.count());
  for (size_t i = 0; i < rms.size(); ++i)
    rms[i] = std::sqrt(squares[i] / counts[i]);
  return rms;
}

struct Case {
  Extent extent;
  Blocks blocks;
};

std::string sizesAsName(const ::testing::TestParamInfo<Case>& each) {
  const auto [extent, blocks] = each.param;
  return std::to_string(extent.width) + "x" + std::to_string(extent.height) + "By" +
         std::to_string(blocks.columns) + "x" + std::to_string(blocks.rows);
}

class BlockErrors : public ::testing::TestWithParam<Case> {};

TEST_P(BlockErrors, RandomPicturesAreAsByDefinition) {
  const auto [extent, blocks] = GetParam();
  const ColourImage a = radiance(extent), b = radiance(extent);
  const std::vector<double> expected = rmsByPixels(a, b, blocks);
  const BlockRms result = blockRms(a, b, blocks);
  ASSERT_EQ(result.rms.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(result.rms[i], expected[i], 1e-12 * expected[i]) << "block " << i;
    EXPECT_GT(result.rms[i], 0.0) << "block " << i;
  }
  const double mean =
      std::accumulate(expected.begin(), expected.end(), 0.0) / static_cast<double>(expected.size());
  EXPECT_NEAR(result.mean, mean, 1e-12 * mean);
  std::vector<double> sorted = expected;
  std::sort(sorted.begin(), sorted.end());
  const double median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  EXPECT_NEAR(result.median, median, 1e-12 * median);
  EXPECT_EQ(result.notFiniteValues(), 0U);
}

TEST_P(BlockErrors, AreasHoldEachPixelOnce) {
  const auto [extent, blocks] = GetParam();
  std::vector<int> held(size_t{extent.width} * extent.height);
  for (size_t block = 0; block < blocks.count(); ++block) {
    const PixelArea area = areaOfBlock(blocks, extent, block);
    EXPECT_LT(area.left, area.right);
    EXPECT_LT(area.top, area.bottom);
    for (uint32_t y = area.top; y < area.bottom; ++y)
      for (uint32_t x = area.left; x < area.right; ++x) {
        ++held.at(size_t{y} * extent.width + x);
        EXPECT_EQ(blockOf(x, y, extent, blocks), block);
      }
  }
  EXPECT_EQ(std::count(held.begin(), held.end(), 1), static_cast<std::ptrdiff_t>(held.size()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, BlockErrors,
                         ::testing::Values(Case{{1, 1}, {1, 1}}, Case{{17, 1}, {10, 1}},
                                           Case{{17, 1}, {17, 1}}, Case{{1, 17}, {1, 3}},
                                           Case{{127, 509}, {10, 10}}, Case{{127, 509}, {127, 2}},
                                           Case{{64, 64}, {10, 7}}),
                         sizesAsName);

// As in figures 5 and 6 of the paper.
TEST(ErrorsOfBlocks, BeginAtTheBottomLeft) {
  const Extent extent{40, 30};
  const auto expectArea = [&](size_t block, PixelArea expected) {
    const PixelArea area = areaOfBlock({10, 10}, extent, block);
    EXPECT_EQ((std::array{area.left, area.top, area.right, area.bottom}),
              (std::array{expected.left, expected.top, expected.right, expected.bottom}))
        << "block " << block;
  };
  expectArea(0, {0, 27, 4, 30});
  expectArea(9, {36, 27, 40, 30});
  expectArea(10, {0, 24, 4, 27});
  expectArea(99, {36, 0, 40, 3});
}

TEST(ErrorsOfBlocks, RandomValuesThatAreNotFiniteTakeTheirBlockAlone) {
  const Extent extent{20, 20};
  const Blocks blocks{4, 4};
  ColourImage a = radiance(extent), b = radiance(extent);
  const std::vector<double> expected = rmsByPixels(a, b, blocks);
  a.rgb[3 * (20 * 2 + 7) + 1] = nan;       // block 13
  a.rgb[3 * (20 * 3 + 8) + 0] = infinite;  // too; in both images, so that their difference is NaN
  b.rgb[3 * (20 * 3 + 8) + 0] = infinite;
  b.rgb[3 * (20 * 19 + 19) + 2] = -infinite;  // block 3
  const BlockRms result = blockRms(a, b, blocks);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (i == 3 || i == 13) {
      EXPECT_TRUE(std::isnan(result.rms[i])) << "block " << i;
    } else {
      EXPECT_NEAR(result.rms[i], expected[i], 1e-12 * expected[i]) << "block " << i;
      EXPECT_EQ(result.notFinite[i], 0U);
    }
  }
  EXPECT_EQ(result.notFinite[13], 2U);
  EXPECT_EQ(result.notFinite[3], 1U);
  EXPECT_EQ(result.notFiniteValues(), 3U);
  EXPECT_TRUE(std::isnan(result.mean));
  EXPECT_TRUE(std::isnan(result.median));
}

TEST(ErrorsOfBlocks, ColoursGoFromGreenOverYellowToRed) {
  using Colour = std::array<uint8_t, 3>;
  EXPECT_EQ(falseColour(0.0), (Colour{0, 255, 0}));
  EXPECT_EQ(falseColour(0.25), (Colour{128, 255, 0}));
  EXPECT_EQ(falseColour(0.5), (Colour{255, 255, 0}));
  EXPECT_EQ(falseColour(0.75), (Colour{255, 128, 0}));
  EXPECT_EQ(falseColour(1.0), (Colour{255, 0, 0}));
  EXPECT_EQ(falseColour(std::numeric_limits<double>::quiet_NaN()), (Colour{0, 0, 0}));
}

}  // namespace
}  // namespace lacuna::test
