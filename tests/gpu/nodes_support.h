#pragma once
// Graphs around one of the modules in tests/gpu/modules.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/memory_graph.h"
#include "tests/support/random_case.h"

namespace lacuna::test {

// By name: i-memory, i-planes or i-array.
using Sources = std::map<std::string, Image>;

inline MemoryGraph nodesOf(Sources sources, const std::string& text) {
  MemoryGraph graph;
  graph.text = text;
  graph.sources = std::move(sources);
  graph.modulePath = {moduleFolder(), testFolder() + "/gpu/modules"};
  return graph;
}

// 1x1, a strip, primes, and a random one.
class NodeTest : public testing::TestWithParam<int> {
 protected:
  NodeTest() {
    const Extent extents[] = {{1, 1}, {17, 1}, {127, 509}, randomExtent(random)};
    extent = extents[GetParam()];
    trace_ = std::make_unique<testing::ScopedTrace>(__FILE__, __LINE__,
                                                    fmt::format("{}x{}", extent.width, extent.height));
  }

  Image image(Channels channels, Format format) {
    return randomImage(random, channels, format, extent, false);
  }
  double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); }

  std::mt19937_64& random = testRandom();
  Extent extent;

 private:
  std::unique_ptr<testing::ScopedTrace> trace_;
};

using Expected = std::function<double(uint32_t x, uint32_t y, int component)>;

// `tolerance` is relative to the expected value, or to 0.01 where that is smaller.
inline void expectPixels(const Image& image, const Expected& expected, double tolerance) {
  for (uint32_t y = 0; y < image.type.extent.height; ++y) {
    for (uint32_t x = 0; x < image.type.extent.width; ++x) {
      for (int c = 0; c < componentCount(image.type.channels); ++c) {
        const double wanted = expected(x, y, c);
        ASSERT_NEAR(image.at(x, y, c), wanted, tolerance * std::max(std::abs(wanted), 0.01))
            << "pixel " << x << " " << y << ", component " << c;
      }
    }
  }
}

}  // namespace lacuna::test
