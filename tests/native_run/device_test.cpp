// Nodes that native code builds, on the device: uploads, GLSL and SPIR-V from memory, parameters, several
// frames.

#include <fmt/format.h>
#include <gtest/gtest.h>

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
      "lacuna:1\nmodule:i-memory:in\nmodule:scale:01\nmodule:o-memory:out\n"
      "connect:i-memory:in:output:scale:01:input\nconnect:scale:01:output:o-memory:out:input\n"
      "param:scale:01:way:{}\nparam:scale:01:seed:{}\nparam:scale:01:gain:{}\n",
      way, seed, gain);
  return graph;
}

TEST(NativeDevice, GlslAndSpirvWithUploads) {
  std::mt19937_64 random(testSeed());
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
TEST(NativeDevice, TwoInstances) {
  std::mt19937_64 random(testSeed() + 1);
  const Image image = randomImage(random, Channels::y, Format::f32, {9, 5}, false);
  MemoryGraph graph = scaleGraph(image, "glsl", 4, 1.0);
  graph.text +=
      "module:scale:02\nmodule:o-memory:two\nconnect:scale:01:output:scale:02:input\n"
      "connect:scale:02:output:o-memory:two:input\nparam:scale:02:seed:8\n";
  const auto results = run(graph, "auto");
  for (uint32_t x = 0; x < 9; ++x) {
    const double once = image.at(x, 2, 0) + 3;
    EXPECT_NEAR(results.at("out").at(x, 2, 0), once, 1e-4 * std::abs(once) + 1e-4);
    EXPECT_NEAR(results.at("two").at(x, 2, 0), once * 2 + 5, 1e-4 * std::abs(once) + 1e-4);
  }
}

TEST(NativeDevice, DamagedSpirvIsToldBeforeADriverSeesIt) {
  std::mt19937_64 random(testSeed() + 2);
  const MemoryGraph graph =
      scaleGraph(randomImage(random, Channels::y, Format::f32, {4, 4}, false), "damaged", 1, 1.0);
  try {
    Session session(testDevice(), scheduleOf(graph, "auto"), graph.modulePath, ShaderCache::defaultFolder());
    ADD_FAILURE() << "it was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("scale.spv: damaged SPIR-V"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lacuna::test
