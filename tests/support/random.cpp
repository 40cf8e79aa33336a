#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lacuna::test {
namespace {

// Any number would do.
constexpr uint64_t seedInSource = 20261122;

uint64_t seedOfRun = seedInSource;

std::string nameOf(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

std::mt19937_64 seeded(const std::string& name, uint64_t seed) {
  std::vector<uint32_t> words(name.begin(), name.end());
  words.push_back(static_cast<uint32_t>(seed));
  words.push_back(static_cast<uint32_t>(seed >> 32U));
  std::seed_seq sequence(words.begin(), words.end());
  return std::mt19937_64(sequence);
}

bool isNamedRandom(const testing::TestInfo& test) {
  return nameOf(test).find("Random") != std::string::npos;
}

// The numbers that the running test has drawn; empty at first.
struct Drawn {
  bool any = false;
  std::mt19937_64 random;
};
Drawn drawn;

class FollowTests : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { drawn.any = false; }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (isNamedRandom(test) && !drawn.any && test.result()->Passed())
      ADD_FAILURE() << nameOf(test) << " draws no random numbers, so its name must not contain 'Random'";
    if (drawn.any && test.result()->Failed())
      std::cout << "to repeat: tools/test --seed " << seedOfRun << " --filter '" << nameOf(test) << "'\n";
  }
};

}  // namespace

std::mt19937_64& testRandom() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr)
    throw std::logic_error("testRandom() was called outside a test");
  if (!drawn.any) {
    drawn = {true, seeded(nameOf(*test), seedOfRun)};
    if (!isNamedRandom(*test))
      ADD_FAILURE() << nameOf(*test) << " draws random numbers, so its name must contain 'Random'";
  }
  return drawn.random;
}

std::mt19937_64 sharedRandom(const std::string& name) {
  testRandom();
  return seeded(name, seedOfRun);
}

std::mt19937_64 namedRandom(const std::string& name) {
  return seeded(name, seedInSource);
}

double uniform(std::mt19937_64& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

int pick(std::mt19937_64& random, int from, int to) {
  return std::uniform_int_distribution<int>(from, to)(random);
}

void setUpRandom() {
  if (const char* given = std::getenv("LACUNA_TEST_SEED"); given != nullptr) {
    const char* end = given + std::strlen(given);
    if (const auto [stop, error] = std::from_chars(given, end, seedOfRun);
        error != std::errc() || stop != end) {
      throw std::runtime_error(std::string("LACUNA_TEST_SEED is '") + given +
                               "', but must be a number below 2^64");
    }
    std::cout << "LACUNA_TEST_SEED=" << seedOfRun << "\n";
    if (testing::GTEST_FLAG(filter) == "*")
      testing::GTEST_FLAG(filter) = "*Random*";
  }
  testing::UnitTest::GetInstance()->listeners().Append(new FollowTests);  // which owns it
}

}  // namespace lacuna::test
