#include "tests/rhf/fused.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lacuna::test {
namespace {

// The difference relative to |b| and 1e-2 of the largest value, because scales are added and subtracted.
double relative(double a, double b, double largest) {
  return std::isfinite(a) == std::isfinite(b)
             ? (std::isfinite(b) ? std::abs(a - b) / (std::abs(b) + 0.01 * largest) : 0.0)
             : INFINITY;
}

double largestOf(const Picture& picture) {
  double largest = 1e-3;
  for (const double v : picture.values) {
    largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : largest;
  }
  return largest;
}

}  // namespace

void expectFused(const Image& device, const RhfResult& expected) {
  const Picture& picture = expected.picture;
  const double largest = largestOf(picture);
  double sum = 0.0;
  size_t doubts = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const bool doubtful =
          expected
              .doubtful[static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x)];
      doubts += doubtful ? 1 : 0;
      for (int c = 0; c < picture.components; ++c) {
        const double difference = relative(device.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c),
                                           picture.at(x, y)[c], largest);
        ASSERT_LT(difference, doubtful ? 0.05 : 1e-4)
            << x << ", " << y << ", component " << c << ": "
            << device.at(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c) << ", expected "
            << picture.at(x, y)[c];
        sum += difference;
      }
    }
  }
  EXPECT_LT(sum / static_cast<double>(picture.values.size()), 2e-4);
  EXPECT_LE(doubts, expected.doubtful.size() / 4 + 9);
}

}  // namespace lacuna::test
