// Every module of the modules folder at the sizes where indices go wrong: filters from memory to memory,
// sinks and sources by way of files.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "graph/module/registry.h"
#include "tests/reference/files.h"

namespace lacuna::test {
namespace {

const Extent riskySizes[] = {{1, 1}, {1, 4096}, {4096, 1}, {127, 509}};

bool makesImages(const ModuleDescription& module) {
  return std::any_of(module.connectors.begin(), module.connectors.end(), [](const auto& connector) {
    return connector.direction == Direction::output && connector.arrayCount == 0;
  });
}

std::vector<std::shared_ptr<const ModuleDescription>> filters() {
  Registry registry({moduleFolder(), benchModules()});
  Diagnostics diagnostics;
  std::vector<std::shared_ptr<const ModuleDescription>> found;
  for (const std::string& name : registry.names()) {
    const auto module = registry.find(name, diagnostics);
    // cnn-unet has its own tests of sizes; here compilers would take a minute for its kernels. SwiftShader's
    // takes more memory for rhf's than machines have.
    const bool isLeftOut = name == "cnn-unet" || (name == "rhf" && testDevice().info().limits.smallLoops);
    if (module != nullptr && !module->isSource() && !module->isSink() && makesImages(*module) && !isLeftOut)
      found.push_back(module);
  }
  EXPECT_EQ(diagnostics.render(), "");
  return found;
}

// 5 bins a colour and the number of samples.
Image randomHistograms(std::mt19937_64& random, Extent extent) {
  constexpr uint32_t planes = 16;
  Image image;
  image.type = {Channels::y, Format::f32, ColourTag::data, extent, planes * extent.width * extent.height};
  for (uint32_t i = 0; i < image.type.arrayCount; ++i) {
    const auto value =
        static_cast<float>(i / (image.type.arrayCount / planes) == planes - 1 ? 12 : uniform(random, 0, 6));
    image.words.push_back(std::bit_cast<uint32_t>(value));
  }
  return image;
}

// Possible values of an array of `count` numbers, between 0 and 1.
Image randomArray(std::mt19937_64& random, uint32_t count) {
  Image image;
  image.type = {Channels::y, Format::f32, ColourTag::data, {}, count};
  for (uint32_t i = 0; i < count; ++i)
    image.words.push_back(std::bit_cast<uint32_t>(static_cast<float>(uniform(random, 0.1, 1))));
  return image;
}

// Every input, the optional ones too, from memory; every output that is an image to memory.
MemoryGraph graphWithAll(const ModuleDescription& module, std::mt19937_64& random, Extent extent) {
  MemoryGraph graph;
  graph.text = "module:" + module.name + ":01\n";
  graph.modulePath.push_back(testFolder() + "/gpu/modules");
  for (const ConnectorDescription& connector : module.connectors) {
    if (connector.direction == Direction::output && connector.arrayCount > 0)
      continue;
    if (connector.direction == Direction::output) {
      graph.text += fmt::format("{0}:01:{1} o-memory:{1}\n", module.name, connector.name);
      continue;
    }
    const bool isArray = connector.arrayCount > 0 && !connector.planes;
    const Channels channels = connector.channels.empty() ? Channels::rgba : connector.channels.front();
    const Format format = connector.formats.empty() ? Format::f16 : connector.formats.front();
    graph.sources["in-" + connector.name] = connector.planes ? randomHistograms(random, extent)
                                            : isArray        ? randomArray(random, connector.arrayCount)
                                                      : randomImage(random, channels, format, extent, false);
    if (connector.colour && connector.colour->parameter.empty())
      graph.sources["in-" + connector.name].type.colour = connector.colour->value;
    graph.text += fmt::format("{0}:in-{1} {1}={2}\n",
                              connector.planes ? "i-planes"
                              : isArray        ? "i-array"
                                               : "i-memory",
                              connector.name, module.name);
  }
  return graph;
}

void expectFinite(const Image& image) {
  const Picture picture = pictureOf(image);
  for (size_t i = 0; i < picture.values.size(); ++i)
    ASSERT_TRUE(std::isfinite(picture.values[i])) << "value " << i << " is " << picture.values[i];
}

class EverySize : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Extent extent_ = riskySizes[GetParam()];
};

TEST_P(EverySize, EveryFilter) {
  const auto modules = filters();
  EXPECT_GE(modules.size(), 10U);
  for (const auto& module : modules) {
    SCOPED_TRACE(module->name);
    const MemoryGraph graph = graphWithAll(*module, random_, extent_);
    for (const auto& [name, image] : run(graph, "auto")) {
      SCOPED_TRACE(name);
      if (!image.type.isArray()) {
        EXPECT_EQ(image.type.extent, extent_);
        expectFinite(image);
      }
    }
  }
}

// The source reads the bits that the sink wrote if the file holds half or float, else values within a
// step.
TEST_P(EverySize, EveryKindOfFile) {
  const Folder folder;
  const Image image = randomImage(random_, Channels::rgb, Format::f16, extent_, false);
  const std::pair<const char*, double> kinds[] = {{"exr", 0.0}, {"pfm", 0.0}, {"png", 0.02}, {"jpg", 0.4}};
  for (const auto& [kind, tolerance] : kinds) {
    SCOPED_TRACE(kind);
    const std::string path = folder.file(std::string("image.") + kind);
    MemoryGraph writing;
    writing.sources["in"] = image;
    writing.text = fmt::format("i-memory:in o-{0}\nparam:o-{0}:01:filename:\"{1}\"\n", kind, path);
    runFiles(writing);
    MemoryGraph reading;
    reading.text = fmt::format("i-{0} o-memory:out\nparam:i-{0}:01:filename:\"{1}\"\n", kind, path);
    const Image back = runFiles(reading).at("out");
    ASSERT_EQ(back.type.extent, extent_);
    double sum = 0.0;
    for (uint32_t y = 0; y < extent_.height; ++y) {
      for (uint32_t x = 0; x < extent_.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          const double wanted = tolerance > 0.0 ? std::clamp(image.at(x, y, c), 0.0, 1.0) : image.at(x, y, c);
          ASSERT_NEAR(back.at(x, y, c), wanted, tolerance) << x << " " << y << " " << c;
          sum += wanted;
        }
      }
    }
    EXPECT_GT(sum, 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(RandomExtents, EverySize, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
