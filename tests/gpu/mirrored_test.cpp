// Mirrored layouts (Dolp, Hanika, Dachsbacher 2024, section 3.4) against a plain filter on the CPU that looks
// up every tap through pattern/permutation.h; and against the baseline, where no border is near.

#include "graph/pattern/permutation.h"
#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

constexpr int levels = 3;

class Mirrored : public testing::Test {
 protected:
  Mirrored() {
    std::uniform_int_distribution<uint32_t> side(20, 90);
    extent = {side(random), side(random)};
    trace = fmt::format("{}x{}", extent.width, extent.height);
    in = randomImage(random, Channels::rgba, Format::f32, extent, false);
    // Dark to the left, bright to the right, so that leaks over a border show.
    for (uint32_t y = 0; y < extent.height; ++y)
      for (uint32_t x = 0; x < extent.width; ++x)
        in.set(x, y, 1, in.at(x, y, 1) + 4.0 * x / extent.width + 2.0 * y / extent.height);
  }

  std::map<std::string, Image> run(const std::string& schedule) const {
    MemoryGraph graph = nodesOf(
        {{"in", in}}, fmt::format("i-memory:in smooth o-memory:out\nparam:smooth:01:levels:{}\n", levels));
    return test::run(graph, schedule);
  }

  // Pixels along one axis whose place is `place` + k after `level` splits, mirrored at the ends.
  uint32_t tap(const Embedding& embedding, uint32_t pixel, int k, uint32_t size, uint32_t level) const {
    const auto n = static_cast<int>(size);
    int place = static_cast<int>(placeOf(embedding, pixel, size, level)) + k;
    place = place < 0 ? -1 - place : place >= n ? 2 * n - 1 - place : place;
    return pixelAt(embedding, static_cast<uint32_t>(place), size, level);
  }

  std::vector<double> expected(const Embedding& embedding) const {
    std::vector<double> state;
    for (uint32_t i = 0; i < extent.width * extent.height; ++i) {
      const uint32_t x = i % extent.width;
      const uint32_t y = i / extent.width;
      state.push_back(roundToHalf(0.25 * in.at(x, y, 0) + 0.5 * in.at(x, y, 1) + 0.25 * in.at(x, y, 2)));
    }
    for (uint32_t level = 0; level < levels; ++level) {
      std::vector<double> next;
      for (uint32_t i = 0; i < state.size(); ++i) {
        double sum = 0;
        for (int k = 0; k < 9; ++k) {
          const int dx = k % 3 - 1;
          const int dy = k / 3 - 1;
          const uint32_t u = tap(embedding, i % extent.width, dx, extent.width, level);
          const uint32_t v = tap(embedding, i / extent.width, dy, extent.height, level);
          sum += (dx == 0 ? 0.5 : 0.25) * (dy == 0 ? 0.5 : 0.25) *
                 state[static_cast<size_t>(v) * extent.width + u];
        }
        next.push_back(roundToHalf(sum));
      }
      state = std::move(next);
    }
    return state;
  }

  std::mt19937_64& random = testRandom();
  Extent extent;
  std::string trace;
  Image in;
  const double tolerance = 1e-3 * levels;  // one step of half a level, where sums round another way
};

TEST_F(Mirrored, RandomLevelsTakeTapsFromTheMirroredNeighbour) {
  SCOPED_TRACE(trace);
  const std::pair<const char*, Embedding> cases[] = {
      {"permuted-mirrored/image", {SubimageOrder::ascending, true}},
      {"tiled-mirrored/buffer", {SubimageOrder::ascending, true}},
      {"tiled-local-mirrored/image", {SubimageOrder::localSubdivision, true}}};
  for (const auto& [name, embedding] : cases) {
    SCOPED_TRACE(name);
    const std::vector<double> wanted = expected(embedding);
    const auto results = run(name);
    expectPixels(
        results.at("out"),
        [&](uint32_t x, uint32_t y, int c) {
          const double v = wanted[static_cast<size_t>(y) * extent.width + x];
          return c == 0 ? v : c == 1 ? double{levels} : c == 2 ? 0.5 * v : double{1 << (levels - 1)};
        },
        tolerance);
  }
}

TEST_F(Mirrored, RandomEqualsTheBaselineAwayFromBorders) {
  SCOPED_TRACE(trace);
  const Image plain = run("baseline/buffer").at("out");
  const Image mirrored = run("tiled-mirrored/buffer").at("out");
  const uint32_t reach = (1U << levels) - 1;  // with a radius of 1 over all levels
  double inner = 0;
  double outer = 0;
  for (uint32_t y = 0; y < extent.height; ++y) {
    for (uint32_t x = 0; x < extent.width; ++x) {
      const bool inside = x >= reach && y >= reach && x + reach < extent.width && y + reach < extent.height;
      double& worst = inside ? inner : outer;
      worst = std::max(worst, std::abs(plain.at(x, y, 0) - mirrored.at(x, y, 0)) /
                                  std::max(1.0, std::abs(plain.at(x, y, 0))));
    }
  }
  EXPECT_LE(inner, tolerance);
  EXPECT_GT(outer, 4 * tolerance);  // borders differ: where they don't, nothing was mirrored
}

}  // namespace
}  // namespace lacuna::test
