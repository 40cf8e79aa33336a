#pragma once
// Random numbers for tests. A test that draws passes every time or fails every time: its numbers follow from
// a seed in the source and from its own name, so they don't depend on which other tests run.

#include <cstdint>
#include <random>
#include <string>

namespace lacuna::test {

// The running test's generator, restarted for each test. The test's full name must contain "Random":
// `tools/test --random` runs those tests with a fresh seed. The test fails if its name lacks the word.
std::mt19937_64& testRandom();

// Draws what several tests of a run have in common, such as pipelines that take long to compile: a name gives
// the same numbers in all of them.
std::mt19937_64 sharedRandom(const std::string& name);

// Called by main. LACUNA_TEST_SEED=NUMBER replaces the seed in the source; without a --gtest_filter only
// tests that draw are run then. Throws std::runtime_error if it is not a number.
void setUpRandom();

// For data where any numbers do: the same ones for a name, always.
std::mt19937_64 namedRandom(const std::string& name);

double uniform(std::mt19937_64& random, double from, double to);
int pick(std::mt19937_64& random, int from, int to);  // both included

}  // namespace lacuna::test
