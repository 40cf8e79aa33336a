// rhf against its definition in double precision.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/rhf/fused.h"
#include "tests/rhf/render.h"

namespace lacuna::test {
namespace {

class RhfReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
};

Image fused(const Render& render, const std::string& parameters) {
  const RenderFile file(render);
  return run(rhfGraph(file.path(), parameters), "auto").at("out");
}

void check(const Render& render, const RhfParameters& parameters) {
  expectFused(fused(render, linesOf(parameters)),
              rhf(pictureOf(render.image), render.histograms, parameters));
}

RhfParameters randomParameters(std::mt19937_64& random, int most) {
  return {pick(random, 1, most), pick(random, 0, 2), pick(random, 0, 3), pick(random, 1, 2),
          uniform(random, 0.3, 1.5)};
}

TEST_P(RhfReference, Random) {
  const int bins[] = {3, 8, 3, 11};
  const int i = GetParam();
  const Extent extents[] = {{1, 1}, {17, 1}, {127, 509}};
  const Extent extent = i < 3 ? extents[i]
                              : Extent{static_cast<uint32_t>(pick(random_, 2, 60)),
                                       static_cast<uint32_t>(pick(random_, 2, 50))};
  RenderOptions options{bins[i], pick(random_, 4, 40)};
  options.uneven = i % 2 == 1;
  options.alpha = i == 3;
  check(randomRender(random_, extent, options), randomParameters(random_, i == 2 ? 2 : 4));
}

INSTANTIATE_TEST_SUITE_P(RhfReference, RhfReference, testing::Range(0, 4));

TEST(RhfDefaults, Random) {
  check(randomRender(testRandom(), {61, 45}, {20, 32}), {});
}

TEST(RhfBlend, Random) {
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, Extent{57, 43}}) {
    RenderOptions options{20, 12};
    options.uneven = extent.width == 57;
    RhfParameters parameters;
    parameters.blend = true;
    parameters.search = 3;
    parameters.scales = extent.width == 57 ? 2 : 1;
    check(randomRender(testRandom(), extent, options), parameters);
  }
}

// Pixels that often exceed the last bin say nothing about the noise around them. The picture changes more
// than the noise of its histograms explains.
TEST(RhfBlend, RandomSaturatedPixels) {
  std::mt19937_64& random = testRandom();
  constexpr int bins = 20, samples = 12;
  Render render = randomRender(random, {23, 17}, {bins, samples});
  Histograms& histograms = render.histograms;
  for (int i = 0; i < 23 * 17; ++i) {
    const int x = i % 23, y = i / 23;
    const int bright = pick(random, 0, 3) == 0 ? bins - 1 : 15;
    for (int c = 0; c < 3; ++c) {
      for (int bin = 0; bin < bins; ++bin)
        histograms.at(bins * c + bin, x, y) = bin == 0 || bin == bright ? samples / 2 : 0.0F;
      render.image.set(static_cast<uint32_t>(x), static_cast<uint32_t>(y), c, uniform(random, 0.0, 8.0));
    }
  }
  RhfParameters parameters = {2, 0, 2, 1, 0.8};
  parameters.blend = true;
  check(render, parameters);
}

// Pixels that aren't finite are the filter's; those beside them, and their noise, still count. So do all
// others at the coarser scale, where a number of samples is not finite.
TEST(RhfBlend, RandomBrokenPixels) {
  RenderOptions options{8, 12};
  options.broken = true;
  RhfParameters parameters = {1, 0, 1, 2, 0.8};
  parameters.blend = true;
  check(randomRender(testRandom(), {41, 29}, options), parameters);
}

// Pixels of one bin for each colour are as far from each other as the number of colours that differ tells, so
// many are equally far. The first ones count as nearer, from left to right, each column from top to bottom.
TEST(RhfTies, RandomBins) {
  std::mt19937_64& random = testRandom();
  Render render = randomRender(random, {17, 13}, {3, 4});
  std::fill(render.histograms.values.begin(), render.histograms.values.end(), 0.0F);
  for (int i = 0; i < 17 * 13; ++i) {
    render.histograms.at(9, i % 17, i / 17) = 4.0F;
    for (int c = 0; c < 3; ++c)
      render.histograms.at(3 * c + pick(random, 0, 2), i % 17, i / 17) = 4.0F;
  }
  const RhfParameters parameters = {1, 0, 2, 1, 0.8};
  const Picture expected = rhf(pictureOf(render.image), render.histograms, parameters).picture;
  expectAgrees(fused(render, linesOf(parameters)), expected);
}

// The same bits, column by column of the search window.
TEST(RhfMemory, RandomLittleOfIt) {
  const Render render = randomRender(testRandom(), {173, 131}, {5, 12});
  const std::string parameters = "param:rhf:01:search:3\nparam:rhf:01:scales:1\n";
  const Image all = fused(render, parameters);
  const Image columns = fused(render, parameters + "param:rhf:01:memory:1\n");
  EXPECT_EQ(all.words, columns.words);
}

TEST(RhfBroken, Random) {
  RenderOptions options{8, 12};
  options.broken = true;
  check(randomRender(testRandom(), {53, 41}, options), {});
}

// The message about a picture with the histograms of another one.
std::string refusal(const Render& picture, const Render& bins) {
  const Folder folder;
  writeRender(folder.file("picture.exr"), picture);
  writeRender(folder.file("bins.exr"), bins);
  MemoryGraph graph;
  graph.text = fmt::format(
      "i-exr rhf o-memory:out\ni-exr:02:histogram histogram=rhf\n"
      "param:i-exr:01:filename:\"{0}/picture.exr\"\nparam:i-exr:02:filename:\"{0}/bins.exr\"\n",
      folder.path());
  return load(graph).diagnostics.render();
}

TEST(RhfRefuses, RandomHistogramsThatDoNotFit) {
  std::mt19937_64& random = testRandom();
  const Render picture = randomRender(random, {20, 10}, {8, 4});
  EXPECT_EQ(refusal(picture, randomRender(random, {10, 20}, {8, 4})),
            "graph.cfg:3:8: error: rhf:01: 'histogram' has 10 x 20 pixels, but 'input' has 20 x 10\n"
            "  module:rhf:01\n         ^~~~~~\n");
  Render odd = randomRender(random, {20, 10}, {8, 4});
  odd.histograms.bins -= 1;
  odd.histograms.values.resize(odd.histograms.index(odd.histograms.bins + 1, 0, 0));
  EXPECT_EQ(refusal(picture, odd),
            "graph.cfg:3:8: error: rhf:01: 'histogram' has 24 planes, expected 3 B + 1: B bins of red, green "
            "and blue, "
            "3 or more, and the number of samples\n  module:rhf:01\n         ^~~~~~\n");
}

}  // namespace
}  // namespace lacuna::test
