// The pixels that a workgroup of `fused` computes, walked as shader/generate/stencil_fused.cpp maps runs to
// pixels: each level has what the next one's taps read, and the last ones tile the image.

#include "graph/families/shared_tile.h"

#include <set>

#include "graph/families/family.h"
#include "tests/unit/layout_support.h"
#include "tests/unit/stage_random.h"

namespace lacuna::test {
namespace {

using PixelSet = std::set<std::pair<int, int>>;

struct Case {
  NodeDescription description;
  Node node;
  StencilSchedule schedule;
  int width = 1, height = 1;

  bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

Case randomCase(Random& random) {
  Case c;
  c.description.stencil.dilated = random.upTo(3) > 0;
  c.node.radius = 1 + random.upTo(2);
  c.node.levels = 1 + random.upTo(4);
  c.schedule.family = familyNamed("fused");
  c.schedule.fused = 2 + random.upTo(1);
  c.schedule.rows = 1 + random.upTo(4);
  c.schedule.workgroup[0] = static_cast<uint32_t>(1 + random.upTo(9));
  c.schedule.workgroup[1] = static_cast<uint32_t>(1 + random.upTo(4));
  c.width = 1 + random.upTo(40);
  c.height = 1 + random.upTo(40);
  return c;
}

// A level's pixels of the image; fails if they are outside the tile that starts at the first pixel.
PixelSet computed(const Case& c, const FusedLevel& level, int ownX, int ownY) {
  const int rows = c.schedule.rows;
  const int s = 1 << level.logDilation;
  const int firstX = std::max(ownX - level.border, 0);
  const int firstY = std::max(ownY - level.border, 0);
  EXPECT_EQ(level.width * level.height % rows, 0);
  PixelSet pixels;
  for (int i = 0; i < level.width * level.height / rows; ++i) {
    const int g = i / level.width;
    for (int o = 0; o < rows; ++o) {
      const int x = firstX + i % level.width;
      const int y = firstY + (g >> level.logDilation) * (s * rows) + (g & (s - 1)) + o * s;
      EXPECT_LT(y - firstY, level.height);
      if (c.inside(x, y))
        EXPECT_TRUE(pixels.emplace(x, y).second) << "computed twice";
    }
  }
  return pixels;
}

bool hasTaps(const Case& c, const PixelSet& before, const PixelSet& pixels, int dilation) {
  const int r = c.node.radius;
  for (const auto& [x, y] : pixels) {
    for (int k = -r * dilation; k <= r * dilation; k += dilation) {
      for (const auto& tap :
           {std::pair{x + k, y}, std::pair{x, y + k}, std::pair{x + k, y - k}, std::pair{x + k, y + k}})
        if (c.inside(tap.first, tap.second) && before.count(tap) == 0)
          return false;
    }
  }
  return true;
}

TEST(FusedLevels, RandomEachHasWhatTheNextOneReads) {
  const unsigned seed = drawnSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int run = 0; run < 60; ++run) {
    Case c = randomCase(random);
    c.node.description = &c.description;
    const std::vector<FusedLevel> levels = fusedLevels(c.node, c.schedule);
    ASSERT_EQ(levels.size(), static_cast<size_t>(std::min(c.node.levels, c.schedule.fused)));
    const FusedLevel own = levels.back();
    EXPECT_EQ(own.border, 0);
    PixelSet covered;
    for (int y = 0; y < c.height; y += own.height) {
      for (int x = 0; x < c.width; x += own.width) {
        PixelSet before = computed(c, levels.front(), x, y);
        for (size_t l = 1; l < levels.size(); ++l) {
          const PixelSet pixels = computed(c, levels[l], x, y);
          EXPECT_TRUE(hasTaps(c, before, pixels, 1 << levels[l].logDilation)) << "level " << l;
          before = pixels;
        }
        for (const auto& pixel : before)
          EXPECT_TRUE(covered.insert(pixel).second);
      }
    }
    EXPECT_EQ(covered.size(), static_cast<size_t>(c.width * c.height));
    ASSERT_FALSE(testing::Test::HasFailure()) << c.width << "x" << c.height << ", run " << run;
  }
}

}  // namespace
}  // namespace lacuna::test
