#include "tests/rhf/fused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lacuna::test {
void expectFused(const Image& device, const RhfResult& expected, double mostInDoubt) {
  const Picture& picture = expected.picture;
  const double largest = std::max(1e-3, largestOf(picture.values));
  double sum = 0.0;
  size_t doubts = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const double doubt =
          expected
              .doubt[static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x)];
      doubts += doubt > 1e-4 * largest ? 1 : 0;
      for (int c = 0; c < picture.components; ++c) {
        const double made = device.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c);
        const double wanted = picture.at(x, y)[c];
        ASSERT_EQ(std::isfinite(made), std::isfinite(wanted)) << x << ", " << y << ", component " << c;
        if (!std::isfinite(wanted))
          continue;
        // Scales are added and subtracted.
        const double size = std::abs(wanted) + 0.01 * largest;
        ASSERT_LT(std::abs(made - wanted), 1e-4 * size + doubt)
            << x << ", " << y << ", component " << c << ": " << made << ", expected " << wanted << ", doubt "
            << doubt;
        sum += std::abs(made - wanted) / size;
      }
    }
  }
  EXPECT_LT(sum / static_cast<double>(picture.values.size()), 2e-4);
  EXPECT_LE(static_cast<double>(doubts), mostInDoubt * static_cast<double>(expected.doubt.size()) + 9.0);
}

}  // namespace lacuna::test
