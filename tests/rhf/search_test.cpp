// The search around each pixel: its variants among each other, and against the definition in double
// precision.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>

#include "graph/shader/generate/filter_text.h"
#include "tests/rhf/fused.h"
#include "tests/rhf/render.h"

namespace lacuna::test {
namespace {

struct SearchVariant {
  const char* schedule;  // the workgroup is one that fits in 32 KiB
  const char* layout;
};

// The first ones are one of each kind: only these are tried on tiny pictures, because compiling takes most of
// the time.
constexpr SearchVariant exactVariants[] = {
    {"naive@8x8", "histograms"},  {"binwise@16x2", "bins"},      {"early@32x8", "bins"},
    {"shared@8x4", "histograms"}, {"padded@16x2", "histograms"}, {"nearest@8x4", "histograms"},
    {"once@16x4", "bins"},
};
constexpr size_t kinds = 3;

Image searched(const RenderFile& file, const RhfParameters& parameters, const SearchVariant& variant) {
  MemoryGraph graph = rhfGraph(file.path(), linesOf(parameters) + fmt::format("param:rhf:01:method:search\n"
                                                                              "param:rhf:01:layout:{}\n",
                                                                              variant.layout));
  graph.schedules["rhf:01"] = variant.schedule;
  return run(graph, "auto").at("out");
}

// Returns the results of the first `count` of them.
Image expectEqual(const RenderFile& file, const RhfParameters& parameters,
                  size_t count = std::size(exactVariants)) {
  Image first = searched(file, parameters, exactVariants[0]);
  for (const SearchVariant& variant : std::span(exactVariants).subspan(1, count - 1)) {
    EXPECT_EQ(searched(file, parameters, variant).words, first.words)
        << variant.schedule << " differs from " << exactVariants[0].schedule << " with\n"
        << linesOf(parameters);
  }
  return first;
}

class RhfSearch : public testing::TestWithParam<int> {};

// One scale, because each scale has its own shaders, whose compilation takes most of the time. k = 0 is the
// rule of coarser scales.
TEST_P(RhfSearch, Random) {
  std::mt19937_64& random = testRandom();
  const int i = GetParam();
  constexpr int bins[] = {3, 8, 5};
  constexpr Extent extents[] = {{1, 1}, {17, 1}, {61, 45}};
  RenderOptions options{bins[i], pick(random, 4, 40)};
  options.uneven = i == 2;
  options.alpha = i == 1;
  const Render render = randomRender(random, extents[i], options);
  const RhfParameters parameters = {pick(random, 1, 4), 1, i == 1 ? 0 : pick(random, 1, 2), 1,
                                    uniform(random, 0.3, 1.5)};
  expectFused(expectEqual(RenderFile(render), parameters, i < 2 ? kinds : std::size(exactVariants)),
              rhf(pictureOf(render.image), render.histograms, parameters));
}

INSTANTIATE_TEST_SUITE_P(RhfSearch, RhfSearch, testing::Range(0, 3));

TEST(RhfSearchBroken, Random) {
  RenderOptions options{8, 12};
  options.broken = true;
  const Render render = randomRender(testRandom(), {29, 23}, options);
  const RhfParameters parameters;
  expectFused(expectEqual(RenderFile(render), parameters),
              rhf(pictureOf(render.image), render.histograms, parameters));
}

// The keys of measured times: variants for another layout don't count, since their shaders don't suit.
TEST(RhfSearchFilterText, Random) {
  const RenderFile file(randomRender(testRandom(), {9, 7}, {3, 4}));
  const LoadedGraph loaded = load(rhfGraph(file.path(), "param:rhf:01:method:search\n"));
  for (const Node& node : loaded.graph.nodes) {
    if (node.name == "rhf:01:scales/search0") {
      const std::string text = filterText(loaded.graph, node, {moduleFolder()});
      EXPECT_NE(text.find("once search/once.glsl"), std::string::npos);
      EXPECT_EQ(text.find("naive search/naive.glsl"), std::string::npos);
      return;
    }
  }
  FAIL() << "there is no search";
}

double meanRelative(const Image& a, const Image& b) {
  double sum = 0.0;
  for (uint32_t y = 0; y < a.type.extent.height; ++y) {
    for (uint32_t x = 0; x < a.type.extent.width; ++x)
      for (int c = 0; c < 3; ++c)
        sum += std::abs(a.at(x, y, c) - b.at(x, y, c)) / (std::abs(b.at(x, y, c)) + 1e-3);
  }
  return sum / (3.0 * a.type.extent.width * a.type.extent.height);
}

TEST(RhfSearchLargePatch, Random) {
  const Render render = randomRender(testRandom(), {61, 45}, {5, 20});
  const RhfParameters parameters = {7, 2, 1, 2, 0.9};
  // What is in doubt reaches as far as patches do: a twelfth of the picture for each decision.
  expectFused(searched(RenderFile(render), parameters, {"auto", "bins"}),
              rhf(pictureOf(render.image), render.histograms, parameters), 0.5);
}

// Layouts that round change few pixels: those with a patch whose distance is near the threshold.
TEST(RhfSearchRounded, Random) {
  constexpr int renders = 3;
  const std::array<SearchVariant, 2> rounded = {SearchVariant{"half@8x4", "halves"}, {"eighth@8x4", "bytes"}};
  std::array<double, 2> differences{};
  for (int k = 0; k < renders; ++k) {
    const RenderFile file(randomRender(testRandom(), {61, 45}, {20, 32}));
    const RhfParameters parameters;
    const Image exact = searched(file, parameters, {"auto", "bins"});
    for (size_t i = 0; i < rounded.size(); ++i)
      differences[i] += meanRelative(searched(file, parameters, rounded[i]), exact) / renders;
  }
  for (size_t i = 0; i < rounded.size(); ++i) {
    EXPECT_LT(differences[i], 1e-2) << rounded[i].schedule;
    EXPECT_GT(differences[i], 0.0) << rounded[i].schedule;
  }
}

}  // namespace
}  // namespace lacuna::test
