// The sampler's points: Sobol's first two dimensions, and the properties that scrambling must keep.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

constexpr int indices = 256;
constexpr int pairs = 24;

std::map<std::string, Image> points(uint32_t first, uint32_t seed) {
  MemoryGraph graph;
  graph.modulePath = {test::testFolder() + "/pathtrace/modules", moduleFolder()};
  graph.text = fmt::format(
      "sobol-points o-memory:output\nsobol-points:01:plain o-memory:plain\n"
      "param:sobol-points:01:indices:{}\nparam:sobol-points:01:pairs:{}\n"
      "param:sobol-points:01:first:{}\nparam:sobol-points:01:seed:{}\n",
      indices, pairs, first, seed);
  return run(graph, "auto");
}

// Sobol 1967, from the recurrence of its second dimension's direction numbers (primitive polynomial x + 1):
// m_k = 2 m_(k-1) xor m_(k-1).
uint32_t secondDimension(uint32_t index) {
  uint32_t value = 0;
  uint32_t m = 1;
  for (uint32_t k = 1; k <= 32; ++k) {
    value ^= (index >> (k - 1) & 1U) != 0 ? m << (32 - k) : 0;
    m = m << 1U ^ m;
  }
  return value;
}

uint32_t reversed(uint32_t v) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (v >> i & 1U) << (31 - i);
  return result;
}

TEST(PathtraceSampler, RandomPlainPointsAreSobols) {
  std::mt19937_64& random = test::testRandom();
  const double known[] = {0, 0.5, 0.75, 0.25, 0.625, 0.125, 0.375, 0.875};
  for (uint32_t i = 0; i < 8; ++i)
    ASSERT_EQ(secondDimension(i) * 0x1p-32, known[i]);
  for (const uint32_t first : {0U, static_cast<uint32_t>(random() % 0x7fffff00U)}) {
    const Image plain = points(first, 1).at("plain");
    for (uint32_t i = 0; i < indices; ++i) {
      ASSERT_EQ(static_cast<uint32_t>(plain.at(i, 0, 0)), reversed(first + i));
      ASSERT_EQ(static_cast<uint32_t>(plain.at(i, 0, 1)), secondDimension(first + i)) << first + i;
    }
  }
}

// Among 2^8 points from a multiple of 2^8 on, each rectangle of 2^-k times 2^(k-8) holds exactly one: Owen's
// scrambling and the shuffling of indices keep it so, in every pair of dimensions.
TEST(PathtraceSampler, RandomEveryPairIsStratified) {
  std::mt19937_64& random = test::testRandom();
  for (int round = 0; round < 4; ++round) {
    const auto first = static_cast<uint32_t>(random() % 0x7fffffU) * 256U;
    const auto seed = static_cast<uint32_t>(random() % 0x7fffffffU);
    const Image output = points(first, seed).at("output");
    for (uint32_t pair = 0; pair < pairs; ++pair) {
      for (int k = 0; k <= 8; ++k) {
        std::set<std::pair<int, int>> cells;
        for (uint32_t i = 0; i < indices; ++i) {
          const double x = output.at(i, pair, 0);
          const double y = output.at(i, pair, 1);
          ASSERT_TRUE(x >= 0 && x < 1 && y >= 0 && y < 1);
          cells.emplace(static_cast<int>(std::ldexp(x, k)), static_cast<int>(std::ldexp(y, 8 - k)));
        }
        ASSERT_EQ(cells.size(), size_t{indices})
            << "first " << first << ", seed " << seed << ", pair " << pair;
      }
    }
  }
}

// Pairs and seeds are independent: correlations are within what chance allows.
TEST(PathtraceSampler, PairsAndSeedsAreIndependent) {
  const Image one = points(0, 7).at("output");
  const Image other = points(0, 8).at("output");
  const auto correlation = [](const Image& a, uint32_t pair, int c, const Image& b, uint32_t with, int d) {
    double sum = 0;
    for (uint32_t i = 0; i < indices; ++i)
      sum += 12 * (a.at(i, pair, c) - 0.5) * (b.at(i, with, d) - 0.5);
    return sum / indices;
  };
  // Six standard deviations of a mean of 256.
  constexpr double allowed = 6.0 / 16;
  for (uint32_t pair = 0; pair < pairs; ++pair) {
    for (int c = 0; c < 2; ++c) {
      for (uint32_t with = 0; with < pair; ++with) {
        ASSERT_LT(std::abs(correlation(one, pair, c, one, with, 1 - c)), allowed) << pair << " " << with;
        ASSERT_LT(std::abs(correlation(one, pair, c, one, with, c)), allowed) << pair << " " << with;
      }
      ASSERT_LT(std::abs(correlation(one, pair, c, other, pair, c)), allowed) << pair;
    }
    ASSERT_LT(std::abs(correlation(one, pair, 0, one, pair, 1)), allowed) << pair;
  }
}

}  // namespace
}  // namespace lacuna::test
