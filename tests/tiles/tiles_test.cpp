// Where tiles lie, and which graphs can run in them.

#include "graph/nodes/tiles.h"

#include <gtest/gtest.h>

#include "graph/nodes/rewrites.h"
#include "graph/pictures/methods.h"
#include "tests/support/memory_graph.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

// Cores follow each other without gaps; each has its halo, except at the picture's borders.
TEST(RandomTiles, CoresCoverThePicture) {
  std::mt19937_64& random = testRandom();
  for (int i = 0; i < 500; ++i) {
    const auto whole = static_cast<uint32_t>(pick(random, 1, 2000));
    const auto halo = static_cast<uint32_t>(pick(random, 0, 100));
    const auto multiple = static_cast<uint32_t>(pick(random, 0, 1) == 0 ? 1 : pick(random, 2, 40));
    const uint32_t most = whole - std::min(whole, 2 * halo + multiple);
    const uint32_t side = whole - pick(random, 0, static_cast<int>(most / multiple)) * multiple;
    uint32_t end = 0;
    for (const TileSide& tile : tileSides(whole, side, halo, multiple)) {
      EXPECT_EQ(tile.origin % multiple, 0U);
      EXPECT_EQ(tile.begin, end);
      EXPECT_LT(tile.begin, tile.end);
      EXPECT_LE(tile.origin + side, whole);
      EXPECT_TRUE(tile.origin == 0 || tile.begin - tile.origin >= halo);
      EXPECT_TRUE(tile.origin + side == whole || tile.origin + side - tile.end >= halo);
      end = tile.end;
    }
    EXPECT_EQ(end, whole) << whole << ", " << side << ", " << halo;
  }
}

// No tile that fits has less work.
TEST(RandomTiles, HaveTheLeastWork) {
  std::mt19937_64& random = testRandom();
  for (int i = 0; i < 10; ++i) {
    const Extent whole{static_cast<uint32_t>(pick(random, 1, 150)),
                       static_cast<uint32_t>(pick(random, 1, 150))};
    const Tileable picture{whole, static_cast<uint32_t>(pick(random, 0, 40)),
                           static_cast<uint32_t>(pick(random, 0, 1) == 0 ? 1 : pick(random, 2, 16)),
                           static_cast<uint32_t>(pick(random, 1, 300))};
    const uint32_t mostRows =
        std::min(whole.height, std::max(picture.mostRows, smallestTile(picture).height));
    const auto most = static_cast<uint64_t>(pick(random, 1, 20000));
    const std::optional<Tiles> tiles = tilesWithin(picture, most);
    std::optional<double> least;
    for (uint32_t width = std::min(whole.width, 64U); width <= whole.width; ++width) {
      for (uint32_t height = std::min(whole.height, 64U); height <= mostRows; ++height) {
        const auto isSide = [&](uint32_t side, uint32_t of) {
          return side == of ||
                 (side >= 2 * picture.halo + picture.multiple && (of - side) % picture.multiple == 0);
        };
        if (isSide(width, whole.width) && isSide(height, whole.height) && uint64_t{width} * height <= most) {
          const double work = Tiles{whole, {width, height}, picture.halo, picture.multiple}.work();
          least = std::min(least.value_or(work), work);
        }
      }
    }
    ASSERT_EQ(tiles.has_value(), least.has_value());
    if (tiles) {
      EXPECT_LE(pixelCount(tiles->extent), most);
      EXPECT_DOUBLE_EQ(tiles->work(), *least) << print(*tiles);
    }
  }
}

TEST(Tiles, KnowImagesOfBlocks) {
  EXPECT_EQ(shrinkOf({100, 80}, {100, 80}), 1U);
  EXPECT_EQ(shrinkOf({13, 10}, {100, 80}), 8U);
  EXPECT_EQ(shrinkOf({10, 13}, {75, 99}), 8U);
  EXPECT_EQ(shrinkOf({34, 1}, {100, 2}), 3U);
  EXPECT_EQ(shrinkOf({13, 11}, {100, 80}), 0U);
  EXPECT_EQ(shrinkOf({200, 160}, {100, 80}), 0U);
  EXPECT_EQ(shrinkOf({10, 8}, {100, 80}), 0U) << "a tenth";
}

std::string reasonOf(const std::string& text) {
  MemoryGraph graph;
  graph.text = text;
  graph.sources["in"] = makeImage(Channels::rgba, Format::f16, {100, 80});
  if (text.find("i-memory:motion") != std::string::npos)
    graph.sources["motion"] = makeImage(Channels::mv, Format::f16, {100, 80});
  LoadedGraph loaded = load(graph);
  EXPECT_EQ(loaded.diagnostics.render(), "");
  std::string reason;
  const auto picture = tileable(cull(std::move(loaded.graph)), reason);
  return picture ? "halo " + std::to_string(picture->halo) : reason;
}

std::string alone(const std::string& module, const std::string& more = "") {
  return reasonOf("i-memory:in " + module + " o-memory:out\n" + more);
}

TEST(Tileable, HaloIsTheSumOfFootprints) {
  EXPECT_EQ(alone("exposure"), "halo 0");
  EXPECT_EQ(alone("accum"), "halo 0");
  EXPECT_EQ(alone("eaw", "param:eaw:01:noise:0.1\nparam:eaw:01:levels:3\n"), "halo 14");
  EXPECT_EQ(alone("eaw", "param:eaw:01:levels:3\n"), "halo 22") << "that of its squares of 44";
  EXPECT_EQ(alone("gaussian", "param:gaussian:01:radius:7\n"), "halo 31")
      << "the largest radius: it isn't structural";
}

// What `lacuna denoise` makes of stills.
TEST(Tileable, AllMethodsButRhf) {
  MemoryGraph graph;
  Planes planes;
  planes.sceneLinear = planes.alpha = planes.albedo = planes.normal = planes.depth = true;
  for (const auto& [name, channels] :
       {std::pair("input", Channels::rgba), std::pair("albedo", Channels::rgb),
        std::pair("normal", Channels::normal), std::pair("depth", Channels::depth)})
    graph.sources[name] = makeImage(channels, Format::f16, {1000, 800});
  for (const Method method : {Method::eaw, Method::guided, Method::svgf, Method::unet}) {
    graph.text = denoiseText(method, planes, 1.0, Encoding::linear);
    LoadedGraph loaded = load(graph);
    EXPECT_EQ(loaded.diagnostics.render(), "");
    std::string reason;
    EXPECT_TRUE(tileable(cull(std::move(loaded.graph)), reason)) << nameOf(method) << ": " << reason;
  }
}

TEST(Tileable, OthersAreNamed) {
  EXPECT_EQ(alone("crop"), "crop:01:main depends on the whole picture");
  const std::string motion = "i-memory:motion motion=reproject\n";
  EXPECT_EQ(alone("reproject", motion),
            "reproject:01:main depends on all of 'input', which a `feedback:` line would keep whole");
  EXPECT_EQ(reasonOf("i-memory:in mix o-memory:out\nmix input~reproject other=mix\n" + motion), "halo 1");
  EXPECT_EQ(
      reasonOf("i-memory:in ray-histogram rhf o-memory:out\nray-histogram:01:histogram histogram=rhf\n"),
      "ray-histogram:01:fill keeps an array of the previous frame");
  EXPECT_EQ(alone("resize", "param:resize:01:factor:0.5\n"), "resize:01:across depends on the whole picture");
}

}  // namespace
}  // namespace lacuna::test
