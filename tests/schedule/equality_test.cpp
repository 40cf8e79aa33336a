// Every schedule of a filter equals the baseline bit for bit, borders, NaN, Inf and all forms of synthesis
// included.

#include <gtest/gtest.h>

#include <optional>

#include "graph/families/families.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "tests/schedule/shaders.h"
#include "tests/support/differences.h"
#include "tests/support/long_tests.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

void expectEqual(const RandomCase& random, const std::vector<StencilSchedule>& schedules) {
  SCOPED_TRACE(random.description);
  std::optional<Image> reference;
  for (const StencilSchedule& schedule : schedules) {
    const std::string name = print(schedule);
    if (isRejected(random.graph, schedule)) {
      continue;
    }
    const Image image = runChecked(random.graph, name, random.frames).at("out");
    if (reference) {
      EXPECT_EQ(differences(*reference, image), "") << name;
    } else {
      reference = image;
    }
  }
}

// Each case takes every sixth schedule beside the plainest, so that six cases take all. (A CPU driver
// compiles each of them for up to a second.)
constexpr int parts = 6;

// All in the registry, even those that are only selected by name.
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

// The guided filter's 7x7 variance is a stencil too, undilated and of one level. Only every third schedule,
// because its shaders take a driver long, and Equality.Guided runs all of them.
class EqualityOfVariance : public Equality {};

TEST_P(EqualityOfVariance, Guided) {
  RandomCase variance = randomGuided(testRandom());
  variance.graph.schedules = {{"atrous-guided:01:levels", "baseline/buffer"}};
  expectEqual(variance, partOfSchedules(false, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Random, EqualityOfVariance, testing::Range(0, parts, triesAll() ? 1 : 3));

}  // namespace
}  // namespace lacuna::test
