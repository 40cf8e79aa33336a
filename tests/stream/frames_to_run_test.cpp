// The frames that a run computes, against a simple definition, over random sequences with holes.

#include "graph/load/file_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

struct Case {
  std::set<int> missing;
  std::vector<int> wanted;
  WarmUp warmUp;
  Missing policy = Missing::error;
  bool goesOver() const { return policy == Missing::skip && !warmUp.cutsAtGaps; }
};

bool chance(std::mt19937_64& random, double share) {
  return std::uniform_real_distribution<double>()(random) < share;
}

Case randomCase(std::mt19937_64& random) {
  Case made;
  made.policy = chance(random, 0.5) ? Missing::skip : Missing::error;
  const int count = static_cast<int>(random() % 30) + 1;
  const double holes = chance(random, 0.4) ? 0.0 : 0.2, wants = chance(random, 0.5) ? 1.0 : 0.3;
  const int first = static_cast<int>(random()) % count;
  for (int frame = 0; frame < count; ++frame)
    if (chance(random, holes))
      made.missing.insert(frame);
    else if (frame >= first && chance(random, wants))
      made.wanted.push_back(frame);
  made.warmUp.cutsAtGaps = chance(random, 0.5);
  made.warmUp.frames = chance(random, 0.2) ? std::nullopt : std::optional(static_cast<int>(random() % 6));
  return made;
}

// The frames that `frame` depends on, the nearest first.
std::vector<int> neededBy(int frame, const Case& c) {
  std::vector<int> needed;
  const auto most = static_cast<size_t>(c.warmUp.frames.value_or(1000));
  for (int at = frame - 1; at >= 0 && needed.size() < most; --at)
    if (c.missing.count(at) == 0)
      needed.push_back(at);
    else if (!c.goesOver())
      break;
  return needed;
}

// The frame without files that ended the warm-up of `frame` early; -1 if none.
int stopOf(int frame, const Case& c) {
  const std::vector<int> needed = neededBy(frame, c);
  const int before = frame - 1 - static_cast<int>(needed.size());
  const bool isShort = needed.size() < static_cast<size_t>(c.warmUp.frames.value_or(1000));
  return !c.goesOver() && isShort && before >= 0 ? before : -1;
}

TEST(FramesToRun, RandomHoldWhatIsNeededAndNoMore) {
  std::mt19937_64& random = testRandom();
  for (int round = 0; round < 2000; ++round) {
    const Case c = randomCase(random);
    const FrameSet there =
        FrameSet::range(0, 40).without(std::vector<int>(c.missing.begin(), c.missing.end()));
    const FramesToRun plan = framesToRun(c.wanted, c.warmUp, c.policy, there);
    SCOPED_TRACE(testing::Message() << "round " << round);
    EXPECT_EQ(plan.frames, FrameSet(c.wanted));
    std::set<int> expected(c.wanted.begin(), c.wanted.end());
    for (const int frame : c.wanted)
      for (const int needed : neededBy(frame, c))
        expected.insert(needed);
    std::set<int> computed(plan.frames.begin(), plan.frames.end());
    computed.insert(plan.warmUp.begin(), plan.warmUp.end());
    ASSERT_EQ(computed, expected);
    ASSERT_EQ(computed.size(), plan.frames.size() + plan.warmUp.size()) << "none appears twice";
    // A run of frames continues from the frame before, or, if that is skipped without a cut, from the one
    // before it.
    std::vector<int> starts;
    for (const int frame : computed) {
      int before = frame - 1;
      while (c.goesOver() && c.missing.count(before) > 0)
        --before;
      if (computed.count(before) == 0)
        starts.push_back(frame);
    }
    ASSERT_EQ(plan.starts, FrameSet(starts));
    int stoppedBy = -1;
    for (const int frame : c.wanted)
      stoppedBy = std::max(stoppedBy, stopOf(frame, c));
    ASSERT_EQ(plan.stoppedBy, stoppedBy);
  }
}

}  // namespace
}  // namespace lacuna::test
