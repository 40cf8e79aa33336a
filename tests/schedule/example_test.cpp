// The filter in examples/, written outside the tree, runs under all schedules: bit for bit the same image.

#include <gtest/gtest.h>

#include <cmath>

#include "graph/schedule/stencil/schedule_names.h"
#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

double luma(const Image& image, uint32_t x, uint32_t y) {
  return 0.2126 * image.at(x, y, 0) + 0.7152 * image.at(x, y, 1) + 0.0722 * image.at(x, y, 2);
}

// Of neighbours in a row: how much red differs from brightness, here and there.
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
  graph.text =
      "lacuna:1\nmodule:i-memory:in\nmodule:chroma-smooth:01\nmodule:o-memory:out\n"
      "connect:i-memory:in:output:chroma-smooth:01:input\nconnect:chroma-smooth:01:output:o-memory:out:"
      "input\n" +
      parameters;
  graph.sources["in"] = image;
  graph.modulePath.push_back(exampleFolder());
  return graph;
}

TEST(ExampleOnRandomImages, EqualUnderAllSchedules) {
  std::mt19937_64& random = testRandom();
  const Extent extent{91, 53};
  const Image input = randomImage(random, Channels::rgba, Format::f32, extent, true);
  const MemoryGraph graph = exampleGraph("param:chroma-smooth:01:levels:3\n", input);
  const Image baseline = runChecked(graph, "baseline@16x16/image").at("out");
  ASSERT_EQ(baseline.words.size(), input.words.size());
  int schedules = 0;
  for (const StencilSchedule& schedule : allSchedules(false)) {
    const std::string name = print(schedule);
    const Image image = runChecked(graph, name).at("out");
    EXPECT_EQ(differences(baseline, image), "") << name;
    ++schedules;
  }
  EXPECT_GE(schedules, 18);  // five families, rows of 2 to 6, images and buffers
}

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
