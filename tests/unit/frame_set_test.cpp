// Sets of frames against std::set<int>; sets of billions of frames take no time or memory.

#include "graph/files/frame_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "graph/files/frame_list.h"
#include "graph/nodes/warm_up.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

constexpr int largest = std::numeric_limits<int>::max();

std::set<int> plain(const FrameSet& frames) {
  return {frames.begin(), frames.end()};
}

// Runs and single frames, so dense that many of them touch or overlap.
FrameSet randomFrames(std::mt19937_64& random, int range) {
  std::vector<FrameSet::Run> runs(random() % 8);
  for (FrameSet::Run& run : runs) {
    run.first = static_cast<int>(random() % static_cast<uint64_t>(range)) - range / 4;
    run.last = run.first + static_cast<int>(random() % 6);
  }
  return FrameSet(runs);
}

TEST(FrameSets, RandomAreSets) {
  std::mt19937_64& random = testRandom();
  for (int round = 0; round < 3000; ++round) {
    const int range = round % 2 == 0 ? 20 : 200;
    const FrameSet a = randomFrames(random, range), b = randomFrames(random, range);
    const std::set<int> plainA = plain(a), plainB = plain(b);
    std::set<int> both = plainA, common, rest, part, fewest, moved;
    both.insert(plainB.begin(), plainB.end());
    std::set_intersection(plainA.begin(), plainA.end(), plainB.begin(), plainB.end(),
                          std::inserter(common, common.end()));
    std::set_difference(plainA.begin(), plainA.end(), plainB.begin(), plainB.end(),
                        std::inserter(rest, rest.end()));
    ASSERT_EQ(plain(a.with(b)), both);
    ASSERT_EQ(plain(a.within(b)), common);
    ASSERT_EQ(plain(a.without(b)), rest);
    ASSERT_EQ(a.size(), plainA.size());
    ASSERT_EQ(a.empty(), plainA.empty());
    const FrameSet::Run window = {static_cast<int>(random() % 30) - 10, static_cast<int>(random() % 30)};
    const size_t count = random() % 30;
    for (const int frame : plainA) {
      if (frame >= window.first && frame <= window.last)
        part.insert(frame);
      if (fewest.size() < count)
        fewest.insert(frame);
      moved.insert(frame - 17);
    }
    ASSERT_EQ(plain(a.between(window.first, window.last)), part);
    ASSERT_EQ(plain(a.first(count)), fewest);
    ASSERT_EQ(plain(a.shifted(-17)), moved);
    for (int frame = -range / 2; frame < range; ++frame) {
      ASSERT_EQ(a.contains(frame), plainA.count(frame) == 1) << frame;
      const auto above = plainA.upper_bound(frame);
      ASSERT_EQ(a.lastUpTo(frame), above == plainA.begin() ? std::nullopt : std::optional(*std::prev(above)));
    }
    // Equal sets have equal runs, whatever they were made of, and neighbours are in one.
    std::vector<int> frames(plainA.begin(), plainA.end());
    std::shuffle(frames.begin(), frames.end(), random);
    FrameSet added;
    for (const int frame : frames)
      added.add(frame);
    ASSERT_EQ(added, a);
    ASSERT_EQ(FrameSet(frames), a);
    for (size_t i = 1; i < a.runs().size(); ++i)
      ASSERT_LT(a.runs()[i - 1].last + 1, a.runs()[i].first);
  }
}

TEST(FrameSets, OfManyAreSmall) {
  const FrameSet all = FrameSet::range(0, 999'999'999);
  EXPECT_EQ(all.size(), 1'000'000'000U);
  const FrameSet rest = all.without({5, 6, 999'999'999});
  EXPECT_EQ(rest.runs(), (std::vector<FrameSet::Run>{{0, 4}, {7, 999'999'998}}));
  EXPECT_EQ(rest.with({5, 6}).runs().size(), 1U);
  EXPECT_EQ(rest.shifted(1'000'000'000).back(), 1'999'999'998);
  EXPECT_EQ(all.within(rest), rest);
  EXPECT_EQ(all.first(3), (FrameSet{2, 0, 1}));
  EXPECT_TRUE(FrameSet::range(3, 2).empty());
}

TEST(FrameSets, ReachTheLargestNumber) {
  FrameSet frames = {largest};
  frames.add(largest - 2);
  EXPECT_EQ(plain(frames), (std::set<int>{largest - 2, largest}));
  frames.add(largest - 1);
  EXPECT_EQ(frames, FrameSet::range(largest - 2, largest));
  EXPECT_EQ(plain(frames.without({largest})), (std::set<int>{largest - 2, largest - 1}));
  EXPECT_EQ(frames.lastUpTo(largest), largest);
}

TEST(StageWarmUpStart, IsNeverBeforeTheFirstFrame) {
  const WarmUp some{12, "x"}, every{std::nullopt, "x"};
  EXPECT_EQ(some.from(20), 8);
  EXPECT_EQ(some.from(5), 0);
  EXPECT_EQ(every.from(20), 0);
  EXPECT_EQ(WarmUp().from(20), 20);
}

TEST(FrameLists, InWords) {
  const auto parsed = [](const std::string& text) {
    Diagnostics mistakes;
    const std::optional<FrameSet> frames = parseFrames(text, mistakes);
    EXPECT_TRUE(frames) << mistakes.render();
    return frames.value_or(FrameSet());
  };
  EXPECT_EQ(parsed(""), FrameSet());
  EXPECT_EQ(parsed("7"), FrameSet{7});
  EXPECT_EQ(parsed("9,1-4,3-5,0"), (FrameSet{0, 1, 2, 3, 4, 5, 9}));
  EXPECT_EQ(parsed("1-9x4,2-9x4"), (FrameSet{1, 2, 5, 6, 9}));
  EXPECT_EQ(parsed("1-9x1").runs().size(), 1U);
  EXPECT_EQ(parsed("0-999999999"), FrameSet::range(0, 999'999'999));
  EXPECT_EQ(parsed("0-999999999x1000").size(), 1'000'000U);
  // Interleaved, so that each of the second ones joins two of the first.
  EXPECT_EQ(parsed("0-999998x2,1-999999x2"), FrameSet::range(0, 999'999));
  EXPECT_EQ(parsed("-2-2"), FrameSet::range(-2, 2));
  EXPECT_EQ(parsed("-2:2,-9--7,-20"), (FrameSet{-20, -9, -8, -7, -2, -1, 0, 1, 2}));
  EXPECT_EQ(parsed("-4-4x4"), (FrameSet{-4, 0, 4}));
  const auto mistakeIn = [](const std::string& text) {
    Diagnostics mistakes;
    EXPECT_EQ(parseFrames(text, mistakes), std::nullopt);
    return mistakes.render();
  };
  for (const auto& [wrong, why] : {std::pair("-1--2", "-2 comes before -1"),
                                   {"-2-", "expected A, A-B"},
                                   {"--2", "expected A, A-B"},
                                   {"2:", "expected A, A-B"},
                                   {"-1000000000", "the smallest number of a frame is -999999999"},
                                   {"1000000000", "the largest number of a frame is 999999999"},
                                   {"0-1000000000", "the largest number of a frame is 999999999"},
                                   {"0-9x1000000000", "the largest number of a frame is 999999999"},
                                   {"0-9x0", "the step must be 1 or more"},
                                   {"0-9x-1", "the step must be 1 or more"}})
    EXPECT_TRUE(mistakeIn(wrong).starts_with(std::string("lacuna: error: --frames ") + wrong + ": " + why));
  EXPECT_EQ(
      mistakeIn("1-9,0-999999999x999"),
      "lacuna: error: --frames 1-9,0-999999999x999: at most 1000000 frames with gaps between them; A-B may "
      "be any number\n");
}

}  // namespace
}  // namespace lacuna::test
