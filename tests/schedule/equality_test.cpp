// Every schedule of a filter equals the baseline bit for bit, borders, NaN and Inf included; synthesis forms
// agree within rounding.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/families/families.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/long_tests.h"
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

void expectEqual(const RandomCase& random, const std::vector<StencilSchedule>& schedules) {
  SCOPED_TRACE(random.description);
  std::map<std::string, Image>
      reference;  // of the exact forms, and of carried sums, the same in every family
  for (const StencilSchedule& schedule : schedules) {
    const std::string name = print(schedule);
    if (isRejected(random.graph, schedule)) {
      continue;
    }
    const bool carried = schedule.synthesis == Synthesis::carried;
    const Image image = runChecked(random.graph, name, random.frames).at("out");
    const auto [found, fresh] = reference.emplace(carried ? "carried" : "exact", image);
    if (!fresh) {
      EXPECT_EQ(differences(found->second, image), "") << name;
    }
  }
  if (reference.count("carried") > 0 && !random.specials) {
    expectWithinRounding(random, reference.at("exact"), reference.at("carried"));
  }
}

// Each case takes every sixth schedule beside the plainest, so that six cases take all. (A CPU driver
// compiles each of them for up to a second.)
constexpr int parts = 6;

// All that the registry has, those that exist by name alone too.
std::vector<StencilSchedule> registered(bool synthesis) {
  std::vector<StencilSchedule> all = allSchedules(synthesis);
  for (const StencilFamily* family : families()) {
    for (const FamilyShape& shape : family->shapes()) {
      if (shape.byName) {
        const std::vector<StencilSchedule> named = schedulesNamed(std::string(shape.name), synthesis);
        all.insert(all.end(), named.begin(), named.end());
      }
    }
  }
  return all;
}

std::vector<StencilSchedule> partOfSchedules(bool synthesis, int part) {
  const std::vector<StencilSchedule> all = registered(synthesis);
  std::vector<StencilSchedule> some = {all[0]};
  for (size_t i = part == 0 ? parts : static_cast<size_t>(part); i < all.size(); i += parts) {
    some.push_back(all[i]);
  }
  return some;
}

class Equality : public testing::TestWithParam<int> {};

TEST_P(Equality, Eaw) {
  expectEqual(randomEaw(testRandom()), partOfSchedules(true, GetParam()));
}

TEST_P(Equality, Guided) {
  expectEqual(randomGuided(testRandom()), partOfSchedules(false, GetParam()));
}

// With a history: the state after the first level goes to the next frame, and the albedo joins the last
// level.
TEST_P(Equality, Svgf) {
  expectEqual(randomSvgf(testRandom()), partOfSchedules(false, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Random, Equality, testing::Range(0, parts));

// The guided filter's 7x7 variance is a stencil too, undilated and of one level. Every third schedule: its
// shaders take a driver long, and Equality.Guided has them all.
class EqualityOfVariance : public Equality {};

TEST_P(EqualityOfVariance, Guided) {
  RandomCase variance = randomGuided(testRandom());
  variance.graph.schedules = {{"atrous-guided:01:levels", "baseline/buffer"}};
  expectEqual(variance, partOfSchedules(false, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Random, EqualityOfVariance, testing::Range(0, parts, triesAll() ? 1 : 3));

}  // namespace
}  // namespace lacuna::test
