// Every schedule of a filter equals the baseline bit for bit, borders, NaN, Inf and all forms of synthesis
// included.

#include <gtest/gtest.h>

#include <optional>

#include "graph/families/family.h"
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
    if (isRejected(random.graph, schedule))
      continue;
    const Image image = runChecked(random.graph, name, random.frames).at("out");
    if (reference)
      EXPECT_EQ(differences(*reference, image), "") << name;
    else
      reference = image;
  }
}

// Each case takes some schedules beside the plainest. (A CPU driver compiles each of them for up to a
// second.)
constexpr int filters = 3;
const int cases = triesAll() ? 6 : 3;
// Guided: its features take a driver longer to compile.
constexpr int guidedCases = 6;

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

// Without --all every third, another third for each filter, but eaw has the last third's schedules of many
// pixels a thread: a driver compiles svgf's shaders of them for half a minute. (ExampleSchedules takes all on
// one filter.)
std::vector<StencilSchedule> schedulesOf(int filter, bool synthesis, int part, int parts) {
  const std::vector<StencilSchedule> all = registered(synthesis);
  const auto filterOf = [&](int i) {
    return i % filters == 2 && all[static_cast<size_t>(i)].pixels() > 4 ? 0 : i % filters;
  };
  std::vector<StencilSchedule> some = {all[0]};
  int taken = 0;
  for (int i = 1; i < static_cast<int>(all.size()); ++i)
    if ((triesAll() || filterOf(i) == filter) && taken++ % parts == part)
      some.push_back(all[static_cast<size_t>(i)]);
  return some;
}

class Equality : public testing::TestWithParam<int> {};

TEST_P(Equality, Eaw) {
  expectEqual(randomEaw(testRandom()), schedulesOf(0, true, GetParam(), cases));
}

// With a history: the state after the first level goes to the next frame, and the albedo joins the last
// level.
TEST_P(Equality, Svgf) {
  expectEqual(randomSvgf(testRandom()), schedulesOf(2, false, GetParam(), cases));
}

INSTANTIATE_TEST_SUITE_P(Random, Equality, testing::Range(0, cases));

class EqualityOfGuided : public Equality {};

TEST_P(EqualityOfGuided, RandomPictures) {
  expectEqual(randomGuided(testRandom()), schedulesOf(1, false, GetParam(), guidedCases));
}

INSTANTIATE_TEST_SUITE_P(Random, EqualityOfGuided, testing::Range(0, guidedCases));

// The guided filter's 7x7 variance is a stencil too, undilated and of one level. Its shaders take a driver
// longest.
class EqualityOfVariance : public Equality {};

TEST_P(EqualityOfVariance, Guided) {
  RandomCase variance = randomGuided(testRandom());
  variance.graph.schedules = {{"atrous-guided:01:levels", "baseline/buffer"}};
  expectEqual(variance, schedulesOf(2, false, GetParam(), cases));
}

INSTANTIATE_TEST_SUITE_P(Random, EqualityOfVariance, testing::Range(0, triesAll() ? cases : 1));

}  // namespace
}  // namespace lacuna::test
