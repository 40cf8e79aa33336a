// Every schedule of a filter equals the baseline bit for bit, borders, NaN and Inf included; synthesis forms agree within
// rounding. New cases each run: LACUNA_TEST_SEED repeats one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>

#include "tests/support/memory_graph.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

// NaNs are equal whatever their payload: drivers may make them in either operand order.
size_t differences(const Image& a, const Image& b) {
  if (a.words.size() != b.words.size()) {
    return a.words.size() + b.words.size();
  }
  size_t count = 0;
  const int components = componentCount(a.type.channels);
  for (uint32_t y = 0; y < a.type.extent.height; ++y) {
    for (uint32_t x = 0; x < a.type.extent.width; ++x) {
      for (int c = 0; c < components; ++c) {
        const double u = a.at(x, y, c);
        const double v = b.at(x, y, c);
        const bool same = (std::isnan(u) && std::isnan(v)) || (u == v && std::signbit(u) == std::signbit(v));
        count += same ? 0 : 1;
      }
    }
  }
  return count;
}

void expectAllEqual(const RandomCase& random, bool synthesis) {
  SCOPED_TRACE(random.description);
  std::map<std::string, Image> reference;  // by synthesis form
  for (const StencilSchedule& schedule : allSchedules(synthesis)) {
    const std::string name = print(schedule);
    const std::string form = name.substr(name.rfind('/'));
    // carried sums round on their way, each family in the same way.
    const std::string key = synthesis && schedule.synthesis == Synthesis::carried ? form : "exact";
    const Image image = run(random.graph, name).at("out");
    const auto [found, fresh] = reference.emplace(key, image);
    if (!fresh) {
      EXPECT_EQ(differences(found->second, image), 0U) << name;
    }
  }
}

class Equality : public testing::TestWithParam<int> {};

TEST_P(Equality, Eaw) {
  std::mt19937_64 random(testSeed() + static_cast<uint64_t>(GetParam()));
  expectAllEqual(randomEaw(random), true);
}

TEST_P(Equality, Guided) {
  std::mt19937_64 random(testSeed() + 1000 + static_cast<uint64_t>(GetParam()));
  expectAllEqual(randomGuided(random), false);
}

INSTANTIATE_TEST_SUITE_P(Random, Equality, testing::Range(0, 6));

}  // namespace
}  // namespace lacuna::test
