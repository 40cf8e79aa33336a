// Values that outlive a tile are zeros before the first tile of a sequence, and only there.

#include <gtest/gtest.h>

#include "tests/support/memory_graph.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

constexpr Extent picture{100, 70};

class FirstFrameInTiles : public testing::Test {
 protected:
  // In four tiles. Values are whole numbers, so sums are exact.
  static MemoryGraph graphOf(const std::string& lines) {
    MemoryGraph graph;
    graph.modulePath.push_back(testFolder() + "/gpu/modules");
    graph.text = "frames:3\n" + lines;
    Image& in = graph.sources["in"] = makeImage(Channels::y, Format::f32, picture);
    forPixels([&](uint32_t x, uint32_t y) { in.set(x, y, 0, pick(testRandom(), 0, 3)); });
    graph.tiles = Tiles{picture, {64, 64}, 0, 1};
    return graph;
  }

  // In the first frame the image and 100; later the image, half of the last result, and the frame's number.
  static MemoryGraph accumulating() {
    return graphOf("i-memory:in accumulate o-memory:out\naccumulate back~accumulate\n");
  }

  template <class Work>
  static void forPixels(const Work& work) {
    for (uint32_t y = 0; y < picture.height; ++y)
      for (uint32_t x = 0; x < picture.width; ++x)
        work(x, y);
  }

  template <class Value>
  static int wrongPixels(const Image& out, const Value& value) {
    int wrong = 0;
    forPixels([&](uint32_t x, uint32_t y) { wrong += out.at(x, y, 0) == value(x, y) ? 0 : 1; });
    return wrong;
  }
};

TEST_F(FirstFrameInTiles, RandomPixelsHaveTheirOwnHistory) {
  const MemoryGraph graph = accumulating();
  const Image& in = graph.sources.at("in");
  const auto results = run(graph, "auto", {graph.sources, graph.sources, graph.sources});
  const auto first = [&](uint32_t x, uint32_t y) { return in.at(x, y, 0) + 100; };
  const auto second = [&](uint32_t x, uint32_t y) { return in.at(x, y, 0) + first(x, y) / 2 + 1; };
  const auto third = [&](uint32_t x, uint32_t y) { return in.at(x, y, 0) + second(x, y) / 2 + 2; };
  EXPECT_EQ(wrongPixels(results[0].at("out"), first), 0);
  EXPECT_EQ(wrongPixels(results[1].at("out"), second), 0);
  EXPECT_EQ(wrongPixels(results[2].at("out"), third), 0);
}

TEST_F(FirstFrameInTiles, RandomAFrameThatEndedEarlyIsNone) {
  const MemoryGraph graph = accumulating();
  MemoryRun running(graph, "auto");
  int tiles = 0;
  running.stopWhen([&] { return tiles++ == 2; });
  running.compute(0);
  EXPECT_EQ(tiles, 3);
  running.stopWhen({});
  running.compute(1);
  const Image& in = graph.sources.at("in");
  EXPECT_EQ(wrongPixels(running.results().at("out"),
                        [&](uint32_t x, uint32_t y) { return in.at(x, y, 0) + 1 + 100; }),
            0);
}

// All tiles count before any reads the counts.
TEST_F(FirstFrameInTiles, RandomCountsAreThoseOfAllTiles) {
  const MemoryGraph graph = graphOf("i-memory:in histogram:01:histogram o-array:out\n");
  std::vector<double> shares(64);  // bin 0 is [0, 1/32), the last one [63/32, ...)
  forPixels([&](uint32_t x, uint32_t y) {
    const double value = graph.sources.at("in").at(x, y, 0);
    shares[value < 1 ? 0 : value < 2 ? 32 : 63] += 1.0 / static_cast<double>(pixelCount(picture));
  });
  const Image out = run(graph, "auto").at("out");
  for (uint32_t bin = 0; bin < 64; ++bin)
    EXPECT_NEAR(out.at(bin, 0, 0), shares[bin], 1e-6) << "bin " << bin;
}

}  // namespace
}  // namespace lacuna::test
