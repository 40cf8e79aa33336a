// When a run measures quietly, and what.

#include "graph/run/tune/quiet_tuning.h"

#include <gtest/gtest.h>

namespace lacuna::test {
namespace {

ScheduleCandidate candidate(const std::string& schedule, double ms) {
  ScheduleCandidate made;
  made.name = schedule;
  made.family = schedule.substr(0, schedule.find_first_of("0123456789@"));
  made.ms = ms;
  return made;
}

FilterChoice choiceOf(std::vector<ScheduleCandidate> candidates) {
  FilterChoice choice;
  choice.filter = "a:01:filter";
  choice.schedule = candidates.front().name;
  choice.candidates = std::move(candidates);
  return choice;
}

FilterChoice usual() {
  return choiceOf({candidate("rows4@8x16/image", 2.0), candidate("rows3@8x8/image", 2.1),
                   candidate("rows5@8x8/image", 2.2), candidate("rows2@16x16/image", 2.3),
                   candidate("tiled@16x8/buffer", 2.4), candidate("lattice@16x16/buffer", 2.6),
                   candidate("baseline@16x16/image", 4.0)});
}

constexpr QuietSituation longRun{false, 100000, false};

TEST(QuietTuning, TakesWhatIsNearTheTop) {
  EXPECT_EQ(quietTuning(usual(), longRun).schedules,
            (std::vector<std::string>{"rows4@8x16/image", "rows3@8x8/image", "rows5@8x8/image",
                                      "tiled@16x8/buffer", "lattice@16x16/buffer"}));
}

TEST(QuietTuning, NeverOnCpuDevices) {
  QuietSituation situation = longRun;
  situation.cpu = true;
  EXPECT_TRUE(quietTuning(usual(), situation).schedules.empty());
}

TEST(QuietTuning, TakesATenthOfTheRunAtMost) {
  for (const int frames : {1, 10, 100, 1000, 1999, 2001, 5000, 20000, 1000000}) {
    SCOPED_TRACE(frames);
    const FilterPick tuning = quietTuning(usual(), {false, frames, false});
    const double expected = 2e-3 * frames;
    EXPECT_LE(tuning.seconds, 0.1 * expected);
    EXPECT_LE(tuning.seconds, 10.0);
    EXPECT_LE(0.2 * static_cast<double>(tuning.schedules.size()), tuning.seconds);
    EXPECT_EQ(tuning.schedules.empty(), frames < 2000);
  }
}

TEST(QuietTuning, NotWhatIsKnownOrAskedFor) {
  FilterChoice known = usual();
  known.candidates[0].measured = known.candidates[1].measured = "2026-11-20";
  EXPECT_TRUE(quietTuning(known, longRun).schedules.empty());
  FilterChoice asked = usual();
  asked.forced = true;
  EXPECT_TRUE(quietTuning(asked, longRun).schedules.empty());
}

FilterChoice ofKernel(double firstMs = 0.0) {
  FilterChoice choice =
      choiceOf({candidate("rows@32x4/n4/image", firstMs), candidate("naive@16x16/buffer", 0.0),
                candidate("half@32x4/n4/image", 0.0), candidate("tiles@16x16/n4/buffer", 0.0)});
  choice.candidates[2].exact = false;
  return choice;
}

// A kernel's time is unknown, so its own runs determine when to stop.
TEST(QuietTuning, KernelsByTheirFirstRuns) {
  const FilterPick tuning = quietTuning(ofKernel(), {false, 1000, false});
  EXPECT_EQ(tuning.schedules,
            (std::vector<std::string>{"rows@32x4/n4/image", "naive@16x16/buffer", "tiles@16x16/n4/buffer"}));
  EXPECT_EQ(tuning.searched, (std::vector<std::string>{"rows", "naive", "tiles"}));
  EXPECT_DOUBLE_EQ(tuning.bestRuns, 100.0);
  EXPECT_LE(tuning.seconds, 10.0);
  EXPECT_TRUE(quietTuning(ofKernel(), {false, 100, false}).schedules.empty());
  EXPECT_TRUE(quietTuning(ofKernel(), {true, 100000, false}).schedules.empty());
  EXPECT_FALSE(quietTuning(ofKernel(), {true, 1, true}).schedules.empty());
}

// A schedule after which a shorter run stopped is known by its time, like an estimate.
TEST(QuietTuning, KernelsAreTriedAgainWhereItPays) {
  FilterChoice choice = ofKernel(2.0);
  choice.candidates[0].measured = "2026-11-20";
  EXPECT_TRUE(quietTuning(choice, {false, 1999, false}).schedules.empty());
  const FilterPick tuning = quietTuning(choice, {false, 5001, false});
  EXPECT_EQ(tuning.schedules.size(), 3U);
  EXPECT_LE(tuning.seconds, 1.01);
  EXPECT_EQ(tuning.bestRuns, 0.0);
  choice.candidates[1].measured = "2026-11-20";
  EXPECT_TRUE(quietTuning(choice, longRun).schedules.empty());
}

TEST(QuietTuning, NothingToChooseFrom) {
  EXPECT_TRUE(quietTuning(choiceOf({candidate("baseline@16x16/image", 2.0)}), longRun).schedules.empty());
  FilterChoice rejected = usual();
  for (size_t i = 1; i < rejected.candidates.size(); ++i)
    rejected.candidates[i].rejected = "too large";
  EXPECT_TRUE(quietTuning(rejected, longRun).schedules.empty());
  EXPECT_TRUE(quietTuning(FilterChoice{}, longRun).schedules.empty());
}

}  // namespace
}  // namespace lacuna::test
