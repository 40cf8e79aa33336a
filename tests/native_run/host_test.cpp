// Host nodes: between passes of a CPU device, with copies as on a GPU, in tiles and in sequences.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/nodes/rewrites.h"
#include "tests/native/places.h"
#include "tests/support/differences.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

MemoryGraph hostGraph(const Image& image, const std::string& how, bool asGpu) {
  MemoryGraph graph;
  graph.modulePath = {testModules, ownModules, LACUNA_TEST_FOLDER "/gpu/modules"};
  graph.sources["in"] = image;
  graph.asGpu = asGpu;
  graph.text =
      fmt::format("i-memory:in host o-memory:out\nparam:host:01:how:{}\nparam:host:01:gain:0.5\n", how);
  return graph;
}

Image plane(std::mt19937_64& random, Extent extent) {
  return randomImage(random, Channels::y, Format::f32, extent, false);
}

double wantedAt(const Image& image, uint32_t x, uint32_t y) {
  const uint32_t right = std::min(x + 1, image.type.extent.width - 1);
  const double sides = 0.5 * (image.at(x == 0 ? 0 : x - 1, y, 0) + image.at(right, y, 0));
  return 2 * (sides + x + 10000.0 * y) + 0.25;
}

void expectWanted(const Image& image, const Image& result) {
  ASSERT_EQ(result.type.extent, image.type.extent);
  for (uint32_t y = 0; y < image.type.extent.height; ++y)
    for (uint32_t x = 0; x < image.type.extent.width; ++x)
      ASSERT_NEAR(result.at(x, y, 0), wantedAt(image, x, y), 2e-3 * (1 + y)) << x << ", " << y;
}

TEST(HostNodes, RandomBetweenPasses) {
  std::mt19937_64& random = testRandom();
  for (const bool asGpu : {false, true}) {
    for (const Extent extent : {Extent{1, 1}, Extent{37, 11}, randomExtent(random)}) {
      SCOPED_TRACE(testing::Message() << extent.width << "x" << extent.height << " asGpu " << asGpu);
      const Image image = plane(random, extent);
      expectWanted(image, run(hostGraph(image, "right", asGpu), "auto").at("out"));
    }
  }
}

// On CPU devices they use the device's own memory, and take the place of kernels; a GPU gets copies.
TEST(HostNodes, RandomCopiesAreForGpus) {
  std::mt19937_64& random = testRandom();
  const auto countOf = [&](PassKind kind, bool asGpu) {
    const FrameGraph schedule = scheduleOf(hostGraph(plane(random, {8, 8}), "right", asGpu), "auto");
    return std::ranges::count(schedule.passes, kind, &Pass::kind);
  };
  EXPECT_EQ(countOf(PassKind::handover, false), 0);
  EXPECT_EQ(countOf(PassKind::host, false), 2);
  EXPECT_EQ(countOf(PassKind::handover, true), 2);
  EXPECT_EQ(countOf(PassKind::host, true), 1);
  const FrameGraph schedule = scheduleOf(hostGraph(plane(random, {8, 8}), "right", false), "auto");
  ASSERT_EQ(schedule.choices.size(), 1U);
  EXPECT_EQ(schedule.choices[0].schedule, "host");
  EXPECT_EQ(schedule.choices[0].reason, "takes the place of double on CPU devices");
}

TEST(HostNodes, RandomTilesAreTheWholePicture) {
  std::mt19937_64& random = testRandom();
  for (const bool asGpu : {false, true}) {
    const Image image = plane(random, {300, 210});
    MemoryGraph graph = hostGraph(image, "right", asGpu);
    const Image whole = run(graph, "auto").at("out");
    std::string reason;
    const std::optional<Tileable> picture = tileable(cull(load(graph).graph), reason);
    ASSERT_TRUE(picture) << reason;
    graph.tiles = tilesWithin(*picture, 20'000);
    ASSERT_TRUE(graph.tiles);
    EXPECT_GT(graph.tiles->count(), 2U);
    EXPECT_EQ(differences(whole, run(graph, "auto").at("out")), "") << asGpu;
  }
}

TEST(HostNodes, RandomBuiltWithUploads) {
  std::mt19937_64& random = testRandom();
  for (const bool asGpu : {false, true}) {
    const Image image = plane(random, {19, 7});
    const Image result = run(hostGraph(image, "built", asGpu), "auto").at("out");
    for (uint32_t y = 0; y < 7; ++y)
      for (uint32_t x = 0; x < 19; ++x)
        ASSERT_NEAR(result.at(x, y, 0), 3 * image.at(x, y, 0) + 0.5,
                    1e-4 * (1 + std::abs(image.at(x, y, 0))));
  }
}

TEST(HostNodes, RandomKeepMemory) {
  std::mt19937_64& random = testRandom();
  for (const bool asGpu : {false, true}) {
    const Image image = plane(random, {4, 4});
    MemoryGraph graph = hostGraph(image, "right", asGpu);
    graph.text += "host:01:total o-array:total\n";
    const Image total = run(graph, "auto", 3).at("total");
    EXPECT_EQ(total.at(0, 0, 0), 3) << asGpu;
    EXPECT_NEAR(total.at(1, 0, 0), 3 * image.at(0, 0, 0), 1e-4 * (1 + std::abs(image.at(0, 0, 0))));
  }
}

}  // namespace
}  // namespace lacuna::test
