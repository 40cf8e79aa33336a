// Which guides count as noisy: pixels that no neighbour is like.

#include <gtest/gtest.h>

#include "tools/metrics/guides.h"

namespace lacuna::test {
namespace {

// One neighbour is enough, on any side.
TEST(GuideNoise, IsOfPixelsThatNoNeighbourIsLike) {
  EXPECT_EQ(shareOfNoise({1, {4, 2}, {0, 1, 2, 3, 0, 1, 2, 3}}, "albedo"), 0.0);
  EXPECT_EQ(shareOfNoise({1, {2, 4}, {0, 0, 1, 1, 2, 2, 3, 3}}, "albedo"), 0.0);
  EXPECT_EQ(shareOfNoise({1, {4, 2}, {0, 1, 2, 3, 0, 1, 9, 3}}, "albedo"), 0.25);
  EXPECT_EQ(shareOfNoise({1, {1, 1}, {7}}, "albedo"), 0.0) << "it has no neighbour";
}

}  // namespace
}  // namespace lacuna::test
