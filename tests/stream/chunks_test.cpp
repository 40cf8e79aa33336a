// chunksOf() against all ways to divide a few frames.

#include "graph/run/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/random.h"

namespace lacuna::test {
namespace {

constexpr int history = 3;

// The number of frames that a part computes: all from its first to its last, and those before that its first
// needs.
size_t costOf(const FrameSet& part) {
  const int first = std::max(0, part.front() - history);
  return static_cast<size_t>(part.back() - first + 1);
}

// The fewest parts of frames from `at` on, each within the cost.
size_t fewest(const std::vector<int>& frames, size_t at, size_t mostCost) {
  size_t found = at == frames.size() ? 0 : frames.size() + 1;
  for (size_t end = at + 1; end <= frames.size(); ++end) {
    const FrameSet part(std::vector<int>(frames.begin() + static_cast<std::ptrdiff_t>(at),
                                         frames.begin() + static_cast<std::ptrdiff_t>(end)));
    if (costOf(part) <= mostCost)
      found = std::min(found, 1 + fewest(frames, end, mostCost));
  }
  return found;
}

// The cost of the most expensive part, and the number of parts, for the best division of frames.
std::pair<size_t, size_t> best(const std::vector<int>& frames, size_t count) {
  for (size_t mostCost = 1;; ++mostCost) {
    const size_t parts = fewest(frames, 0, mostCost);
    if (parts <= count)
      return {mostCost, parts};
  }
}

TEST(Chunks, RandomCostAsLittleAsAnyOthers) {
  std::mt19937_64& random = testRandom();
  for (int round = 0; round < 200; ++round) {
    std::vector<int> frames;
    for (int frame = 0; frame < 14; ++frame)
      if (pick(random, 0, 3) > 0)
        frames.push_back(frame);
    if (frames.empty())
      continue;
    const auto count = static_cast<size_t>(pick(random, 1, 5));
    const std::vector<FrameSet> parts = chunksOf(FrameSet(frames), count, costOf);
    std::vector<int> together;
    size_t dearest = 0;
    for (const FrameSet& part : parts) {
      together.insert(together.end(), part.begin(), part.end());
      dearest = std::max(dearest, costOf(part));
    }
    EXPECT_EQ(together, frames);
    EXPECT_EQ(std::pair(dearest, parts.size()), best(frames, count)) << round;
  }
}

TEST(Chunks, OfManyFramesAreFoundAtOnce) {
  const std::vector<FrameSet> parts = chunksOf(FrameSet::range(0, 999'999'999), 40, costOf);
  ASSERT_EQ(parts.size(), 40U);
  EXPECT_EQ(costOf(parts.front()), 25'000'003U);
}

}  // namespace
}  // namespace lacuna::test
