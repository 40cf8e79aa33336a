// Networks for photographs against their definition.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "graph/nodes/rewrites.h"
#include "tests/cnn_unet/denoise_case.h"
#include "tests/cnn_unet/golden_file.h"
#include "tests/cnn_unet/reference_photograph.h"
#include "tests/support/differences.h"
#include "tests/support/folder.h"
#include "tests/support/own_weights.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Network;
using unet::Plane;

Network networkFor(std::mt19937_64& random, const std::string& pattern, int widest) {
  return randomNetwork(random, {pattern.empty() ? Plane::colour : Plane::mosaic, Plane::sigma}, widest);
}

// A mosaic may have negative values, and light above 1.
Photograph randomPhotograph(std::mt19937_64& random, const std::string& pattern, Extent extent) {
  Photograph of{
      Channelled(pattern.empty() ? 3 : 1, static_cast<int>(extent.height), static_cast<int>(extent.width)),
      pattern,
      {},
      static_cast<float>(uniform(random, 0.0, 2.0))};
  for (double& v : of.picture.values)
    v = static_cast<float>(pick(random, 0, 19) == 0 ? uniform(random, -0.1, 3.0) : uniform(random, 0.0, 1.0));
  of.noise = pattern.empty() ? std::vector<double>{0.05, pick(random, 0, 1) * 0.5, 0.01, 0.0}
                             : std::vector<double>{3.0, uniform(random, 0.5, 2.0), 1.5, 0.003, 0.0001};
  for (double& v : of.noise)
    v = static_cast<float>(v);
  return of;
}

struct PhotographRun {
  std::string weights;
  std::string arithmetic = "plain";
  std::string layers = "fused";
  Format format = Format::f32;
};

MemoryGraph graphOf(const Photograph& photograph, const PhotographRun& run) {
  const bool isMosaic = !photograph.pattern.empty();
  const Channelled& picture = photograph.picture;
  Image image = makeImage(isMosaic ? Channels::mosaic : Channels::rgba, run.format,
                          {static_cast<uint32_t>(picture.width), static_cast<uint32_t>(picture.height)},
                          ColourTag::data);
  if (isMosaic)
    image.type.pattern = *patternFromName(photograph.pattern);
  for (uint32_t y = 0; y < image.type.extent.height; ++y)
    for (uint32_t x = 0; x < image.type.extent.width; ++x) {
      for (int c = 0; c < picture.channels; ++c)
        image.set(x, y, c, picture.at(c, static_cast<int>(y), static_cast<int>(x)));
      if (!isMosaic)
        image.set(x, y, 3, 0.5);
    }
  const auto count = static_cast<uint32_t>(photograph.noise.size());
  Image numbers{{Channels::y, Format::f32, ColourTag::data, {}, count}, std::vector<uint32_t>(count)};
  for (uint32_t i = 0; i < count; ++i)
    numbers.words[i] = std::bit_cast<uint32_t>(static_cast<float>(photograph.noise[i]));
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-memory:in cnn-unet o-memory:out\ni-array:numbers {}=cnn-unet\nparam:cnn-unet:01:weights:\"{}\"\n"
      "param:cnn-unet:01:arithmetic:{}\nparam:cnn-unet:01:layers:{}\nparam:cnn-unet:01:strength:{:.9g}\n",
      isMosaic ? "sensor" : "noise", run.weights, run.arithmetic, run.layers, photograph.strength);
  graph.sources = {{"in", image}, {"numbers", numbers}};
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  return graph;
}

struct PhotographCase {
  const char* pattern;  // "": colours
  Extent extent;
  const char* layers = "fused";
  Format format = Format::f32;
};

class UnetPhotograph : public testing::TestWithParam<PhotographCase> {};

TEST_P(UnetPhotograph, RandomIsItsDefinition) {
  const PhotographCase& of = GetParam();
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const Network network = networkFor(random, of.pattern, 20);
  Photograph photograph = randomPhotograph(random, of.pattern, of.extent);
  if (of.format == Format::f16)
    photograph.picture = rounded(photograph.picture, of.format);
  const Channelled expected = denoised(network, photograph);
  PhotographRun how{folder.write("a.safetensors", weightsFile(network)), "plain", of.layers, of.format};
  for (const char* arithmetic : {"plain", "float", "host"}) {
    const bool isFloat = arithmetic != std::string("plain");
    if ((isFloat && how.layers != "fused") || (arithmetic == std::string("host") && !hasHostNetwork))
      continue;
    SCOPED_TRACE(arithmetic);
    how.arithmetic = arithmetic;
    const Image made = run(graphOf(photograph, how), "auto").at("out");
    ASSERT_EQ(made.type.channels, Channels::rgba);
    EXPECT_EQ(made.at(0, 0, 3), of.pattern == std::string() ? 0.5 : 1.0);
    expectDenoised(made, expected, isFloat && of.format == Format::f32 ? 1e-4 : 3e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, UnetPhotograph,
    testing::Values(PhotographCase{"rggb", {127, 509}}, PhotographCase{"grbg", {37, 46}},
                    PhotographCase{"gbrg", {46, 37}}, PhotographCase{"bggr", {65, 33}, "fused", Format::f16},
                    PhotographCase{"rggb", {1, 1}}, PhotographCase{"bggr", {2, 2}},
                    PhotographCase{"grbg", {17, 1}}, PhotographCase{"gbrg", {1, 17}, "simple"},
                    PhotographCase{"bggr", {30, 50}, "simple"}, PhotographCase{"", {1, 1}},
                    PhotographCase{"", {17, 1}}, PhotographCase{"", {45, 64}},
                    PhotographCase{"", {127, 509}, "fused", Format::f16}));

class UnetPhotographGolden : public testing::TestWithParam<const char*> {};

TEST_P(UnetPhotographGolden, IsWhatPyTorchComputes) {
  const bool isMosaic = GetParam() != std::string("13x18");
  const GoldenFile golden(isMosaic ? "tiny-mosaic" : "tiny-developed", GetParam());
  const Photograph photograph{golden.image("picture"), isMosaic ? GetParam() : "", golden.samples("noise")};
  expectDenoised(run(graphOf(photograph, {golden.weights()}), "auto").at("out"), golden.image("output"));
}

INSTANTIATE_TEST_SUITE_P(Files, UnetPhotographGolden,
                         testing::Values("rggb", "grbg", "gbrg", "bggr", "13x18"));

// Emulated here, so the network is small: emulation takes compilers long.
TEST(UnetPhotographMatrices, RandomIsItsDefinition) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const Network network = smallestNetwork(random, {Plane::mosaic, Plane::sigma});
  const Photograph photograph = randomPhotograph(random, "gbrg", {45, 35});
  expectDenoised(
      run(graphOf(photograph, {folder.write("a.safetensors", weightsFile(network)), "matrices"}), "auto")
          .at("out"),
      denoised(network, photograph));
}

class UnetPhotographInTiles : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(UnetPhotographInTiles, RandomAreTheWholePictureBitByBit) {
  const auto& [pattern, arithmetic] = GetParam();
  if (arithmetic == std::string("host") && !hasHostNetwork)
    GTEST_SKIP() << "built without oneDNN";
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const Network network = networkFor(random, pattern, 12);
  const Extent extent{301, 314};
  MemoryGraph graph = graphOf(randomPhotograph(random, pattern, extent),
                              {folder.write("a.safetensors", weightsFile(network)), arithmetic});
  const Image whole = run(graph, "auto").at("out");
  std::string reason;
  const std::optional<Tileable> picture = tileable(cull(load(graph).graph), reason);
  ASSERT_TRUE(picture) << reason;
  EXPECT_EQ(picture->multiple, 8U);
  graph.tiles = tilesWithin(*picture, pixelCount(extent) / 3);
  ASSERT_TRUE(graph.tiles);
  SCOPED_TRACE(print(*graph.tiles));
  EXPECT_GT(graph.tiles->columns().size(), 1U);
  EXPECT_GT(graph.tiles->rows().size(), 1U);
  EXPECT_EQ(differences(whole, run(graph, "auto").at("out")), "");
}

INSTANTIATE_TEST_SUITE_P(Patterns, UnetPhotographInTiles,
                         testing::Values(std::pair("rggb", "plain"), std::pair("grbg", "host"),
                                         std::pair("gbrg", "float"), std::pair("bggr", "plain"),
                                         std::pair("bggr", "host"), std::pair("", "plain")));

std::string refusal(const MemoryGraph& graph) {
  return load(graph).diagnostics.render();
}

TEST(UnetPhotographRefuses, RandomWrongConnections) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const OwnWeights own(folder.file(""));
  own.write("developed.safetensors", weightsFile(networkFor(random, "", 4)));
  const std::string mosaicWeights =
      own.write("mosaic.safetensors", weightsFile(networkFor(random, "rggb", 4)));
  const auto graphFor = [&](const std::string& pattern) {
    MemoryGraph graph = graphOf(randomPhotograph(random, pattern, {6, 4}), {});
    graph.modulePath = {own.folder(), moduleFolder(), testFolder() + "/gpu/modules"};
    return graph;
  };
  for (const char* pattern : {"rggb", ""})  // found by the connections
    EXPECT_EQ(refusal(graphFor(pattern)), "");
  MemoryGraph graph = graphFor("rggb");
  const std::string sensor = "i-array:numbers sensor=cnn-unet\n";
  const size_t at = graph.text.find(sensor);
  graph.text.erase(at, sensor.size());
  expectPart(refusal(graph),
             "are for the connected input (a mosaic); expected one of: input, noise (developed.safetensors); "
             "input (a "
             "mosaic), sensor (mosaic.safetensors)");
  graph.text.insert(at, "i-array:numbers noise=cnn-unet\n");
  graph.sources["numbers"].type.arrayCount = 4;
  expectPart(refusal(graph),
             "cnn-unet:01: 'noise' is for colours, but 'input' is a mosaic; connect rawprep's output "
             "'sensor' to 'sensor'");
  graph = graphFor("");
  graph.text += "param:cnn-unet:01:weights:\"" + mosaicWeights + "\"\n";
  expectPart(refusal(graph),
             "these weights are for input (a mosaic), sensor, but input, noise are connected");
  graph = graphFor("rggb");
  for (const char* pattern : {"x-trans", "none"}) {
    graph.sources["in"].type.pattern = *patternFromName(pattern);
    expectPart(refusal(graph),
               fmt::format("cnn-unet:01: 'input' is a mosaic {}, but networks are for Bayer patterns",
                           pattern == std::string("none") ? "without colours" : "of 6x6 colours"));
  }
}

}  // namespace
}  // namespace lacuna::test
