// What wiener's README claims, its variants, and its messages.

#include <gtest/gtest.h>

#include <cmath>

#include "graph/pictures/compare.h"
#include "tests/reference/wiener_case.h"
#include "tests/support/differences.h"

namespace lacuna::test {
namespace {

// Rows of `blocks`: 32 / (rows x height) must be whole, so that there are as many workgroups as groups. No
// more blocks at once than a group has, or 8.
std::vector<std::string> variantsOf(int group) {
  std::vector<std::string> variants = {"lanes@8x1", "blocks@8x8/rows4"};
  if (group >= 16)
    variants.emplace_back("blocks@8x16/rows2");
  if (group >= 32)
    variants.emplace_back("blocks@8x32/rows1");
  return variants;
}

Image byVariant(MemoryGraph graph, const std::string& variant) {
  graph.schedules["wiener:01:groups/filter"] = variant + "/buffer";
  return run(graph, "auto").at("out");
}

class WienerVariants : public testing::TestWithParam<int> {};

// A group of each size, and noise that is far stronger in fine details, for which the weights are tiny.
TEST_P(WienerVariants, AreEqualOnRandomPictures) {
  constexpr Extent extents[] = {{1, 1}, {45, 37}, {9, 40}, {61, 8}, {33, 52}};
  std::mt19937_64& random = testRandom();
  WienerParameters p;
  p.search = pick(random, 1, 8);
  p.spacing = pick(random, 1, 2);
  p.group = 2 << GetParam();
  p.step = pick(random, 2, 8);
  p.curve.noise = 0.03;
  p.precision = GetParam() % 2 == 0 ? Format::f16 : Format::f32;
  p.strength = GetParam() == 4 ? 0.0 : 1.0;
  p.levelNoise = {GetParam() == 1 ? 100.0 : 1.5, GetParam() == 1 ? 0.01 : 1.1, 1.3, 0.9};
  SCOPED_TRACE(p.text());
  const Image pilot = randomImage(random, Channels::rgba, Format::f32, extents[GetParam()], true);
  const MemoryGraph graph =
      wienerGraph(randomImage(random, Channels::rgba, Format::f32, extents[GetParam()], true), pilot, p);
  const std::vector<std::string> variants = variantsOf(p.group);
  const Image first = byVariant(graph, variants.front());
  for (const std::string& variant : variants)
    EXPECT_EQ(differences(first, byVariant(graph, variant)), "") << variant;
}

INSTANTIATE_TEST_SUITE_P(Wiener, WienerVariants, testing::Range(0, 5));

double decibels(const Image& image, const Image& clean) {
  return compare(coloursOf(image), coloursOf(clean)).psnr;
}

// Of eaw, given the same noise.
std::map<std::string, Image> denoised(const Image& noisy, double noise) {
  MemoryGraph graph;
  graph.sources["in"] = noisy;
  graph.text = fmt::format(
      "i-memory:in eaw pilot=wiener o-memory:out\ni-memory:in wiener\neaw o-memory:pilot\n"
      "param:eaw:01:noise:{0}\nparam:wiener:01:noise:{0}\n",
      noise);
  return run(graph, "auto");
}

// Measured: 32.8 and 40.1 dB.
TEST(Wiener, RandomNoiseInTexturesGoesBehindEaw) {
  std::mt19937_64& random = testRandom();
  WienerParameters p;
  const Image clean = wovenPicture({120, 88});
  const auto images = denoised(withNoise(random, clean, p), p.curve.noise);
  const double before = decibels(images.at("pilot"), clean), after = decibels(images.at("out"), clean);
  EXPECT_GE(after - before, 6.0) << before << " dB before, " << after << " dB after";
}

// Measured: 84 dB, behind eaw's 69.
TEST(Wiener, KeepsPicturesWithoutNoise) {
  const Image clean = wovenPicture({120, 88});
  const auto images = denoised(clean, 0.002);
  EXPECT_GE(decibels(images.at("out"), clean), 48.0);
}

// The largest sums: of as many groups as may reach a pixel, all with the greatest weight, because a flat
// block has one coefficient, and the greatest deviation.
TEST(Wiener, SumsHoldTheLargestDeviationsOfAllGroups) {
  WienerParameters p;
  p.search = 31;
  p.group = 32;
  p.step = 2;
  Image pilot = makeImage(Channels::rgba, Format::f32, {90, 80}), input = pilot;
  for (uint32_t i = 0; i < 90 * 80 * 3; ++i) {
    pilot.set(i / 3 % 90, i / 3 / 90, static_cast<int>(i % 3), 4.0);
    input.set(i / 3 % 90, i / 3 / 90, static_cast<int>(i % 3), 4.0 + p.curve.noise * 30.0);
  }
  const Image output = run(wienerGraph(input, pilot, p), "auto").at("out");
  // Of brightness, by which all three colours are brighter alike.
  const double expected = 4.0 + p.curve.noise * 16.0 / std::sqrt(3.0);
  for (uint32_t y = 0; y < 80; ++y)
    for (uint32_t x = 0; x < 90; ++x)
      for (int c = 0; c < 3; ++c)
        ASSERT_NEAR(output.at(x, y, c), expected, 1e-3) << x << ", " << y;
}

// Where coarse noise is far below fine noise, the weights of filtered blocks become tiny.
TEST(Wiener, RandomFineNoiseLeavesAWeightToEachPixel) {
  std::mt19937_64& random = testRandom();
  WienerParameters p;
  p.search = 31;
  p.spacing = 2;
  p.group = 8;
  p.step = 2;
  p.strength = 0.01;
  p.levelNoise = {100.0, 0.01, 1.0, 1.0};
  const Image pilot = randomImage(random, Channels::rgba, Format::f32, {24, 20}, false);
  const Image output = run(wienerGraph(withNoise(random, pilot, p), pilot, p), "auto").at("out");
  const Picture found = pictureOf(output), before = pictureOf(pilot);
  for (size_t i = 0; i < found.values.size(); ++i)
    ASSERT_NEAR(found.values[i], before.values[i], 5.0 * p.curve.noise);
}

// Light of which half floats hold no multiple of the noise is the pilot's.
TEST(Wiener, RandomLightFarAboveTheNoiseStays) {
  std::mt19937_64& random = testRandom();
  WienerParameters p;
  p.curve.noise = 1e-6;
  p.precision = Format::f16;
  Image pilot = randomImage(random, Channels::rgba, Format::f32, {24, 20}, false);
  for (uint32_t i = 0; i < 24 * 20 * 3; ++i)
    pilot.set(i / 3 % 24, i / 3 / 24, static_cast<int>(i % 3), uniform(random, 1.0, 1000.0));
  const Image output = run(wienerGraph(pilot, pilot, p), "auto").at("out");
  const Picture found = pictureOf(output), before = pictureOf(pilot);
  for (size_t i = 0; i < found.values.size(); ++i)
    ASSERT_NEAR(found.values[i] / before.values[i], 1.0, 1e-4);
}

std::string messagesOf(const std::string& parameters, Extent pilot) {
  MemoryGraph graph;
  graph.sources["in"] = makeImage(Channels::rgba, Format::f32, {20, 10});
  graph.sources["pilot"] = makeImage(Channels::rgba, Format::f32, pilot);
  graph.text = "i-memory:in wiener o-memory:out\ni-memory:pilot pilot=wiener\n" + parameters;
  return load(graph).diagnostics.render();
}

TEST(WienerRefuses, PilotsOfAnotherSize) {
  EXPECT_EQ(messagesOf("", {20, 10}), "");
  const std::string text = messagesOf("", {20, 11});
  EXPECT_NE(text.find("error: wiener:01: 'pilot' has 20 x 11 pixels, but 'input' has 20 x 10"),
            std::string::npos)
      << text;
}

TEST(WienerRefuses, GroupsThatAreNoPowerOfTwo) {
  for (const int group : {3, 12}) {
    const std::string text = messagesOf(fmt::format("param:wiener:01:group:{}\n", group), {20, 10});
    EXPECT_EQ(text,
              fmt::format("graph.cfg:9:17: error: wiener:01: 'group' is {0}, but groups have 2, 4, 8, 16 "
                          "or 32 blocks\n  param:wiener:01:group:{0}\n                  ^~~~~\n",
                          group));
  }
}

}  // namespace
}  // namespace lacuna::test
