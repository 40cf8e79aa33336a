// Every schedule of a filter equals the baseline bit for bit, borders, NaN and Inf included; synthesis forms
// agree within rounding. New cases each run: LACUNA_TEST_SEED repeats one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "tests/support/differences.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

// Sums carried through the levels round once a level on their way.
void expectWithinRounding(const RandomCase& random, const Image& exact, const Image& carried) {
  const double step = random.half ? 1.0 / 1024.0 : 1.0 / 4194304.0;
  double worst = 0.0;
  for (uint32_t y = 0; y < exact.type.extent.height; ++y) {
    for (uint32_t x = 0; x < exact.type.extent.width; ++x) {
      for (int c = 0; c < componentCount(exact.type.channels); ++c) {
        const double scale = std::max(1.0, std::abs(exact.at(x, y, c)));
        worst = std::max(worst, std::abs(exact.at(x, y, c) - carried.at(x, y, c)) / scale);
      }
    }
  }
  EXPECT_LE(worst, (random.levels + 1) * step);
}

// Each case takes every sixth schedule beside the first one, the plainest. Three cases take half of all, by
// the seed which half. (A CPU driver compiles each of them for up to a second.)
constexpr int parts = 6;
constexpr int cases = 3;

int partOf(int index) {
  return cases * static_cast<int>(testSeed() % 2) + index;
}

void expectEqual(const RandomCase& random, bool synthesis, int part) {
  SCOPED_TRACE(random.description);
  int position = 0;
  std::map<std::string, Image>
      reference;  // of the exact forms, and of carried sums, the same in every family
  for (const StencilSchedule& schedule : allSchedules(synthesis)) {
    if (position++ % parts != part && position != 1) {
      continue;
    }
    const std::string name = print(schedule);
    const bool carried = schedule.synthesis == Synthesis::carried;
    const Image image = run(random.graph, name).at("out");
    const auto [found, fresh] = reference.emplace(carried ? "carried" : "exact", image);
    if (!fresh) {
      EXPECT_EQ(differences(found->second, image), "") << name;
    }
  }
  if (reference.count("carried") > 0 && !random.specials) {
    expectWithinRounding(random, reference.at("exact"), reference.at("carried"));
  }
}

class Equality : public testing::TestWithParam<int> {};

TEST_P(Equality, Eaw) {
  std::mt19937_64 random(testSeed() + static_cast<uint64_t>(GetParam()));
  expectEqual(randomEaw(random), true, partOf(GetParam()));
}

TEST_P(Equality, Guided) {
  std::mt19937_64 random(testSeed() + 1000 + static_cast<uint64_t>(GetParam()));
  expectEqual(randomGuided(random), false, partOf(GetParam()));
}

// The guided filter's 7x7 variance is a stencil too, undilated and of one level.
TEST(EqualityOfVariance, EverySchedule) {
  std::mt19937_64 random(testSeed() + 2000);
  RandomCase variance = randomGuided(random);
  variance.graph.schedules = {{"atrous-guided:01:levels", "baseline/buffer"}};
  expectEqual(variance, false, static_cast<int>(testSeed() % parts));
}

// With a history: the state after the first level goes to the next frame, and the albedo joins the last
// level.
TEST(EqualityOfSvgf, ThreeFrames) {
  std::mt19937_64 random(testSeed() + 3000);
  const Extent extent{1 + static_cast<uint32_t>(random() % 200), 1 + static_cast<uint32_t>(random() % 200)};
  const int levels = 1 + static_cast<int>(random() % 6);
  MemoryGraph graph;
  graph.text = fmt::format(
      "lacuna:1\nframes:3\nmodule:svgf:01\nmodule:o-memory:out\nconnect:svgf:01:output:o-memory:out:input\n"
      "param:svgf:01:levels:{}\n",
      levels);
  const std::pair<const char*, Channels> inputs[] = {{"input", Channels::rgba},
                                                     {"albedo", Channels::rgb},
                                                     {"normal", Channels::normal},
                                                     {"depth", Channels::depth},
                                                     {"motion", Channels::mv}};
  for (const auto& [name, channels] : inputs) {
    graph.sources[name] = randomImage(random, channels, Format::f32, extent, random() % 2 == 0);
    graph.text += fmt::format("module:i-memory:{0}\nconnect:i-memory:{0}:output:svgf:01:{0}\n", name);
  }
  SCOPED_TRACE(fmt::format("{}x{}, {} levels", extent.width, extent.height, levels));
  std::optional<Image> reference;
  int position = 0;
  for (const StencilSchedule& schedule : allSchedules(false)) {
    if (position++ % parts != static_cast<int>(testSeed() % parts) && position != 1) {
      continue;
    }
    const Image image = run(graph, print(schedule), 3).at("out");
    reference = reference ? reference : image;
    EXPECT_EQ(differences(*reference, image), "") << print(schedule);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Equality, testing::Range(0, cases));

}  // namespace
}  // namespace lacuna::test
