// Nodes that native code builds, on the device: uploads, GLSL and SPIR-V from memory, parameters, several
// frames.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "graph/shader/compile.h"
#include "tests/native/places.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

MemoryGraph scaleGraph(const Image& image, const std::string& way, int seed, double gain) {
  MemoryGraph graph;
  graph.modulePath = {testModules, ownModules};
  graph.sources["in"] = image;
  graph.text = fmt::format(
      "i-memory:in scale o-memory:out\nparam:scale:01:way:{}\nparam:scale:01:seed:{}\n"
      "param:scale:01:gain:{}\n",
      way, seed, gain);
  return graph;
}

TEST(NativeDevice, RandomGlslAndSpirvWithUploads) {
  std::mt19937_64& random = testRandom();
  for (const char* way : {"glsl", "spirv"}) {
    const Extent extent{1 + static_cast<uint32_t>(random() % 40), 1 + static_cast<uint32_t>(random() % 40)};
    const Image image = randomImage(random, Channels::y, Format::f32, extent, false);
    const int seed = 1 + static_cast<int>(random() % 100);
    const double gain = 0.5 + static_cast<double>(random() % 8) / 4;
    const Image result = run(scaleGraph(image, way, seed, gain), "auto", 3).at("out");
    ASSERT_EQ(result.type.extent, extent);
    for (uint32_t y = 0; y < extent.height; ++y) {
      for (uint32_t x = 0; x < extent.width; ++x) {
        const double wanted = (image.at(x, y, 0) * seed / 4 + seed / 2.0 + 1) * gain;
        ASSERT_NEAR(result.at(x, y, 0), wanted, 1e-5 * std::max(1.0, std::abs(wanted)))
            << way << " at " << x << ", " << y << ", seed " << seed << ", gain " << gain;
      }
    }
  }
}

// Two instances have weights of their own.
TEST(NativeDevice, RandomTwoInstances) {
  std::mt19937_64& random = testRandom();
  const Image image = randomImage(random, Channels::y, Format::f32, {9, 5}, false);
  MemoryGraph graph = scaleGraph(image, "glsl", 4, 1.0);
  graph.text += "scale scale:02 o-memory:two\nparam:scale:02:seed:8\n";
  const auto results = run(graph, "auto");
  for (uint32_t x = 0; x < 9; ++x) {
    const double once = image.at(x, 2, 0) + 3;
    EXPECT_NEAR(results.at("out").at(x, 2, 0), once, 1e-4 * std::abs(once) + 1e-4);
    EXPECT_NEAR(results.at("two").at(x, 2, 0), once * 2 + 5, 1e-4 * std::abs(once) + 1e-4);
  }
}

TEST(NativeDevice, RandomDamagedSpirvIsToldBeforeADriverSeesIt) {
  std::mt19937_64& random = testRandom();
  const MemoryGraph graph =
      scaleGraph(randomImage(random, Channels::y, Format::f32, {4, 4}, false), "damaged", 1, 1.0);
  try {
    Session session(testDevice(), scheduleOf(graph, "auto"), graph.modulePath, ShaderCache::defaultFolder());
    ADD_FAILURE() << "it was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("scale.spv: error: damaged SPIR-V"), std::string::npos)
        << error.what();
  }
}

MemoryGraph renderGraph(Extent extent, int64_t count, const std::vector<std::string>& outputs) {
  MemoryGraph graph;
  graph.modulePath = {testModules, ownModules};
  graph.text = fmt::format(
      "module:render:01\nparam:render:01:width:{}\nparam:render:01:height:{}\n"
      "param:render:01:count:{}\n",
      extent.width, extent.height, count);
  for (const std::string& output : outputs)
    graph.text += fmt::format("render:01:{0} o-memory:{0}\n", output);
  return graph;
}

TEST(NativeDevice, RandomKernelsWithoutInputs) {
  std::mt19937_64& random = testRandom();
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, randomExtent(random)}) {
    for (const bool samples : {false, true}) {
      SCOPED_TRACE(testing::Message() << extent.width << "x" << extent.height << ", samples " << samples);
      std::vector<std::string> outputs = {"output", "id"};
      if (samples)
        outputs.emplace_back("samples");
      const auto results = run(renderGraph(extent, 100, outputs), "auto");
      ASSERT_EQ(results.at("output").type,
                (ValueType{Channels::rgba, Format::f16, ColourTag::rec709, extent, 0}));
      for (uint32_t y = 0; y < extent.height; ++y) {
        for (uint32_t x = 0; x < extent.width; ++x) {
          ASSERT_EQ(results.at("output").at(x, y, 1), y);
          ASSERT_EQ(results.at("output").at(x, y, 3), samples ? 1 : 0);
          ASSERT_EQ(results.at("id").words[size_t{y} * extent.width + x],
                    y * extent.width + x + 4'000'000'000U);
        }
      }
    }
  }
}

// More than 2^24 elements, which older versions of module.toml couldn't state.
TEST(NativeDevice, LargeArrays) {
  constexpr int64_t count = (1 << 24) + 1'000'003;
  const Image samples = run(renderGraph({64, 64}, count, {"samples"}), "auto").at("samples");
  for (int64_t x = 0; x < 32; ++x) {
    const int64_t element = count - 1 - x * (count / 32);
    EXPECT_EQ(samples.at(static_cast<uint32_t>(x), 0, 0),
              static_cast<double>(static_cast<float>((element & 0xffffff) + 0.5)));
  }
}

// The input is an array of pairs: 1000 * frame + 0, 1, 2, ... in frame 2.
TEST(NativeDevice, RandomArraysForWhatIsBuilt) {
  std::mt19937_64& random = testRandom();
  const auto pairs = 1 + static_cast<int64_t>(random() % 50);
  MemoryGraph graph = renderGraph({16, 16}, 320, {"samples"});
  graph.text += fmt::format("frames:3\narrays:01:pairs offsets=render\nparam:arrays:01:pairs:{}\n", pairs);
  Session session(testDevice(), scheduleOf(graph, "auto"), graph.modulePath, ShaderCache::defaultFolder());
  session.run(2);
  double sum = 0;
  for (int64_t i = 0; i < pairs; ++i)
    sum += static_cast<double>(2000 + 2 * i + 1);
  const auto memory = session.downloadMemory("render:01:frame.samples");
  ASSERT_EQ(memory.size(), 32 * sizeof(float));
  for (size_t x = 0; x < 32; ++x) {
    float found = 0;
    std::memcpy(&found, memory.data() + x * sizeof found, sizeof found);
    EXPECT_NEAR(static_cast<double>(found), sum + 319.5 - 10.0 * static_cast<double>(x), 0.1) << x;
  }
  EXPECT_EQ(testDevice().validationMessages(), std::vector<std::string>());
}

TEST(NativeDevice, ArraysBeyondTheDeviceAreTold) {
  LoadedGraph loaded = load(renderGraph({64, 64}, 0x7fffffff, {"samples"}));
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
  CompileOptions options;
  options.device = testDevice().info().limits;
  options.device.maxStorageBufferRange = std::min<uint64_t>(options.device.maxStorageBufferRange, 0xffffffff);
  options.device.bufferAddresses = false;
  compile(std::move(loaded.graph), options, loaded.diagnostics);
  EXPECT_NE(loaded.diagnostics.render().find(
                "buffer render:01:frame.histogram has 8.0 GiB (8589934588 bytes), the device binds at most"),
            std::string::npos)
      << loaded.diagnostics.render();
}

TEST(NativeDevice, ASizeOf0IsTold) {
  const LoadedGraph loaded = load(renderGraph({64, 0}, 100, {"id"}));
  EXPECT_NE(loaded.diagnostics.render().find(
                "graph.cfg:4:17: error: render:01: 'height' is 0, but there is no image"),
            std::string::npos)
      << loaded.diagnostics.render();
}

}  // namespace
}  // namespace lacuna::test
