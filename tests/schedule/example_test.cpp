// The filter in examples/, written outside the tree, runs under all schedules: bit for bit the same image.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/schedule/stencil/schedule_names.h"
#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/folder.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

double luma(const Image& image, uint32_t x, uint32_t y) {
  return 0.2126 * image.at(x, y, 0) + 0.7152 * image.at(x, y, 1) + 0.0722 * image.at(x, y, 2);
}

// For neighbours in a row: the mean difference of red and brightness.
double chromaRoughness(const Image& image) {
  double sum = 0.0;
  for (uint32_t y = 0; y < image.type.extent.height; ++y) {
    for (uint32_t x = 1; x < image.type.extent.width; ++x) {
      const double here = image.at(x, y, 0) - luma(image, x, y);
      const double there = image.at(x - 1, y, 0) - luma(image, x - 1, y);
      sum += std::abs(here - there);
    }
  }
  return sum;
}

MemoryGraph exampleGraph(const std::string& parameters, const Image& image) {
  MemoryGraph graph;
  graph.text = "i-memory:in chroma-smooth o-memory:out\n" + parameters;
  graph.sources["in"] = image;
  graph.modulePath.push_back(exampleFolder());
  return graph;
}

// Every case takes a part of the schedules beside the baseline.
constexpr size_t exampleCases = 4;

class ExampleSchedules : public testing::TestWithParam<size_t> {};

TEST_P(ExampleSchedules, OfRandomImagesAreEqual) {
  std::mt19937_64& random = testRandom();
  const Extent extent{91, 53};
  const Image input = randomImage(random, Channels::rgba, Format::f32, extent, true);
  const MemoryGraph graph = exampleGraph("param:chroma-smooth:01:levels:3\n", input);
  const Image baseline = runChecked(graph, "baseline@16x16/image").at("out");
  ASSERT_EQ(baseline.words.size(), input.words.size());
  const std::vector<StencilSchedule> schedules = allSchedules(false);
  EXPECT_GE(schedules.size(), 18U);  // five families, rows of 2 to 6, images and buffers
  for (size_t i = GetParam(); i < schedules.size(); i += exampleCases) {
    const std::string name = print(schedules[i]);
    const Image image = runChecked(graph, name).at("out");
    EXPECT_EQ(differences(baseline, image), "") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ExampleSchedules, testing::Range<size_t>(0, exampleCases));

// A window of patches and a joint one, under every family; non-local means against its definition.
double meanOfPatches(const Image& image, int x, int y, int channel, int radius, int patch, double sigma,
                     double strength) {
  const int width = static_cast<int>(image.type.extent.width),
            height = static_cast<int>(image.type.extent.height);
  const auto reflected = [](int i, int n) {
    const int period = std::max(2 * n - 2, 1), j = std::abs(i) % period;
    return static_cast<uint32_t>(std::min(j, period - j));
  };
  const auto at = [&](int px, int py, int c) {
    return image.at(reflected(px, width), reflected(py, height), c);
  };
  double sum = 0.0, weights = 0.0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      double difference = 0.0;
      for (int k = 0; k < (2 * patch + 1) * (2 * patch + 1) * 3; ++k) {
        const int px = x + k / 3 % (2 * patch + 1) - patch, py = y + k / 3 / (2 * patch + 1) - patch;
        const double d = at(px + dx, py + dy, k % 3) - at(px, py, k % 3);
        difference += d * d;
      }
      const double mean = difference / (3.0 * (2 * patch + 1) * (2 * patch + 1) * sigma * sigma);
      const double weight = std::exp(-std::max(mean - 2.0, 0.0) / (strength * strength));
      sum += weight * at(x + dx, y + dy, channel);
      weights += weight;
    }
  }
  return sum / weights;
}

class WindowExamples : public testing::TestWithParam<int> {};

TEST_P(WindowExamples, EqualUnderAllSchedules) {
  std::mt19937_64& random = testRandom();
  const Extent extents[] = {{1, 1}, {23, 5}, {61, 37}};
  const Extent extent = extents[GetParam()];
  const Image input =
      randomImage(random, Channels::rgba, GetParam() == 1 ? Format::u8 : Format::f32, extent, false);
  for (const std::string name : {"non-local-means", "weighted-median"}) {
    const bool isMedian = name == "weighted-median";
    MemoryGraph graph = exampleGraph("", input);
    graph.asGpu = pick(random, 0, 1) == 1;
    graph.text =
        fmt::format("i-memory:in {0} o-memory:out\n{1}param:{0}:01:radius:2\n{2}", name,
                    isMedian ? "i-memory:in guide=weighted-median\n" : "",
                    isMedian ? "param:weighted-median:01:rounds:2\n" : "param:non-local-means:01:patch:1\n");
    SCOPED_TRACE(graph.text);
    const Image baseline = runChecked(graph, "baseline@16x16/buffer").at("out");
    // Each case takes every ninth, also of those that are only taken by name.
    std::vector<StencilSchedule> all = allSchedules(false);
    for (const char* family : {"blocks", "strips"}) {
      const std::vector<StencilSchedule> named = schedulesNamed(family, false);
      all.insert(all.end(), named.begin(), named.end());
    }
    for (size_t i = static_cast<size_t>(2 * GetParam() + pick(random, 0, 1)); i < all.size(); i += 9)
      if (!isRejected(graph, all[i]))
        EXPECT_EQ(differences(baseline, runChecked(graph, print(all[i])).at("out")), "") << print(all[i]);
    for (uint32_t k = 0; !isMedian && k < 40; ++k) {
      const auto x = static_cast<uint32_t>(pick(random, 0, static_cast<int>(extent.width) - 1)),
                 y = static_cast<uint32_t>(pick(random, 0, static_cast<int>(extent.height) - 1));
      const double expected =
          meanOfPatches(input, static_cast<int>(x), static_cast<int>(y), 1, 2, 1, 0.05, 0.5);
      // Half a step of 8 bits, or the rounding of a thousand float operations.
      ASSERT_NEAR(baseline.at(x, y, 1), expected,
                  GetParam() == 1 ? 0.51 / 255.0 : 2e-4 * (1.0 + std::abs(expected)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, WindowExamples, testing::Range(0, 3));

// Threads that add up patches together, in windows of every kind that patches may have: the bits of one
// thread a pixel.
class PatchesOnRandomImages : public testing::TestWithParam<const char*> {};

TEST_P(PatchesOnRandomImages, EqualWhoeverAddsThemUp) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const std::string from = exampleFolder() + "/non-local-means/";
  folder.write("non-local-means/means.glsl", slurp(from + "means.glsl"));
  std::string description = slurp(from + "module.toml");
  const std::string border = "border = \"reflect-101\"";
  description.replace(description.find(border), border.size(),
                      fmt::format("border = \"{}\"\nsupport = \"{}\"", GetParam(),
                                  pick(random, 0, 1) == 1 ? "circular" : "square"));
  folder.write("non-local-means/module.toml", description);
  for (const Extent extent : {Extent{17, 1}, Extent{131, 67}}) {
    MemoryGraph graph =
        exampleGraph("", randomImage(random, Channels::rgba,
                                     pick(random, 0, 1) == 1 ? Format::f16 : Format::f32, extent, false));
    graph.modulePath.back() = folder.file("");  // in place of the examples
    graph.asGpu = pick(random, 0, 1) == 1;
    graph.text = fmt::format(
        "i-memory:in non-local-means o-memory:out\nparam:non-local-means:01:radius:{}\n"
        "param:non-local-means:01:patch:{}\nparam:non-local-means:01:strength:2\n",
        pick(random, 1, 3), pick(random, 1, 3));
    SCOPED_TRACE(graph.text + description);
    const Image baseline = runChecked(graph, "baseline@16x16/buffer").at("out");
    for (const char* schedule : {"strips8@64x1/buffer", "strips8@32x2/image", "strips8@16x3/buffer"})
      EXPECT_EQ(differences(baseline, runChecked(graph, schedule).at("out")), "") << schedule;
  }
}

INSTANTIATE_TEST_SUITE_P(Borders, PatchesOnRandomImages,
                         testing::Values("reflect-101", "reflect", "clamp", "valid-only", "zero-weight"));

TEST(ExampleOnRandomImages, SmoothsColourAndKeepsBrightness) {
  std::mt19937_64& random = testRandom();
  const Image input = randomImage(random, Channels::rgba, Format::f32, {67, 41}, false);
  const Image output = runChecked(exampleGraph("param:chroma-smooth:01:edge:16\n", input), "auto").at("out");
  for (uint32_t y = 0; y < 41; ++y) {
    for (uint32_t x = 0; x < 67; ++x) {
      ASSERT_NEAR(luma(output, x, y), luma(input, x, y), 1e-5);
      ASSERT_EQ(output.at(x, y, 3), input.at(x, y, 3));
    }
  }
  EXPECT_LT(chromaRoughness(output), 0.25 * chromaRoughness(input));
}

}  // namespace
}  // namespace lacuna::test
