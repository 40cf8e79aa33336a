// Networks in tiles, for which their nodes are built again, have the bits of the whole picture.

#include <gtest/gtest.h>

#include "graph/nodes/rewrites.h"
#include "tests/cnn_unet/denoise_case.h"
#include "tests/support/differences.h"
#include "tests/support/folder.h"
#include "tests/support/long_tests.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

Tileable pictureOf(const MemoryGraph& graph) {
  std::string reason;
  const std::optional<Tileable> picture = tileable(cull(load(graph).graph), reason);
  return picture ? *picture : throw std::runtime_error(reason);
}

struct TilesCase {
  Extent extent;
  uint64_t percent = 0;  // of the picture's pixels, at most, in a tile
  const char* layers = "fused";
  const char* arithmetic = "plain";
  bool isArchive = false;  // of Open Image Denoise, whose exposure is of blocks that tiles cut
};

class UnetInTiles : public testing::TestWithParam<TilesCase> {};

TEST_P(UnetInTiles, RandomAreTheWholePictureBitByBit) {
  const TilesCase& of = GetParam();
  if (of.arithmetic == std::string("host") && !hasHostNetwork)
    GTEST_SKIP() << "built without oneDNN";
  std::mt19937_64& random = testRandom();
  const Folder folder;
  using unet::Plane;
  const unet::Network network =
      of.isArchive ? archivedNetwork(random, unet::Transfer::hdr, 9, 5)
                   : randomNetwork(random, {Plane::colour, Plane::albedo, Plane::normal, Plane::depth}, 20);
  MemoryGraph graph =
      unetGraph({.weights = of.isArchive ? folder.write("rt_hdr_alb_nrm.tza", archiveFile(network))
                                         : folder.write("a.safetensors", weightsFile(network)),
                 .planes = randomPlanes(random, network, of.extent, true),
                 .hasAlpha = true,
                 .arithmetic = of.arithmetic,
                 .layers = of.layers});
  // A neighbour with a halo of its own.
  graph.text += "cnn-unet firefly o-memory:smooth\n";
  const auto whole = run(graph, "auto");
  graph.tiles = tilesWithin(pictureOf(graph), pixelCount(of.extent) * of.percent / 100);
  ASSERT_TRUE(graph.tiles);
  SCOPED_TRACE(print(*graph.tiles));
  EXPECT_GT(graph.tiles->count(), 1U);
  const auto tiled = run(graph, "auto");
  for (const char* name : {"out", "smooth"})
    EXPECT_EQ(differences(whole.at(name), tiled.at(name)), "") << name;
}

std::vector<TilesCase> tilesCases() {
  std::vector<TilesCase> cases = {{{333, 317}, 40},
                                  {{1000, 70}, 30},
                                  {{290, 301}, 60, "simple"},
                                  {{1001, 60}, 60, "fused", "plain", true},
                                  {{61, 997}, 60, "fused", "float", true},
                                  {{333, 317}, 40, "fused", "host"},
                                  {{1001, 60}, 60, "fused", "host", true},
                                  {{353, 640}, 50, "fused", "host"}};
  if (triesAll())
    cases.insert(cases.end(), {{{333, 317}, 70}, {{353, 640}, 50}});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Sizes, UnetInTiles, testing::ValuesIn(tilesCases()));

TEST(UnetInTiles, OfMoreElementsThanShadersCount) {
  MemoryGraph graph;
  graph.text = "i-memory:in cnn-unet o-memory:out\n";
  graph.sources["in"].type = {Channels::rgb, Format::f16, ColourTag::rec2020, {30000, 20000}};
  const LoadedGraph loaded = load(graph);
  EXPECT_EQ(loaded.diagnostics.render(), "");
  DeviceModel device;
  device.maxAllocation = device.maxStorageBufferRange = uint64_t{1} << 40U;
  Diagnostics found;
  passesOf(loaded.graph, {device, {}}, found);
  EXPECT_NE(found.render().find("more than the 2147483647 elements"), std::string::npos) << found.render();
}

}  // namespace
}  // namespace lacuna::test
