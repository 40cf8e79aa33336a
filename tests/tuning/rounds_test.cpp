// Timing in rounds, on invented times.

#include "graph/run/tune/tuning_rounds.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

// Runs take their stated times, and each a second of the clock.
struct FakeDevice {
  std::map<std::string, double> ms;
  std::set<std::string> refused = {};
  double noise = 0.0;
  double secondsEach = 1.0;

  std::mt19937_64& random = testRandom();
  std::map<std::string, int> runs = {};
  std::set<std::string> open = {};
  std::vector<std::string> opened = {};
  size_t mostOpen = 0;
  double clock = 100.0;

  ScheduleTimer timer() {
    ScheduleTimer timer;
    timer.open = [this](const std::string& name) {
      if (refused.count(name) != 0)
        return false;
      EXPECT_TRUE(open.insert(name).second) << name;
      opened.push_back(name);
      mostOpen = std::max(mostOpen, open.size());
      return true;
    };
    timer.time = [this](const std::string& name) {
      EXPECT_EQ(open.count(name), 1U) << name;
      ++runs[name];
      clock += secondsEach;
      return ms.at(name) * (1.0 + noise * std::uniform_real_distribution<double>(0.0, 1.0)(random));
    };
    timer.close = [this](const std::string& name) { EXPECT_EQ(open.erase(name), 1U) << name; };
    timer.seconds = [this] { return clock; };
    return timer;
  }
};

std::vector<std::string> namesOf(const FakeDevice& device) {
  std::vector<std::string> names;
  for (const auto& [name, ms] : device.ms)
    names.push_back(name);
  return names;
}

TEST(TuningRounds, RandomFindsTheFastestUnderNoise) {
  FakeDevice device;
  device.ms = {{"a", 1.2}, {"b", 1.0}, {"c", 1.1}, {"d", 3.0}, {"e", 1.25}};
  device.noise = 0.15;
  RoundsOptions options;
  options.rounds = 60;
  const FilterTimes end = timeInRounds(namesOf(device), device.timer(), options);
  ASSERT_EQ(end.measured.size(), 5U);
  EXPECT_EQ(end.measured.front().name, "b");
  EXPECT_EQ(end.measured.back().name, "d");
  EXPECT_NEAR(end.measured.front().ms, 1.075, 0.075);
  EXPECT_TRUE(end.untried.empty());
  EXPECT_TRUE(device.open.empty());
}

TEST(TuningRounds, RandomTheHopelessAreLeftEarly) {
  FakeDevice device;
  device.ms = {{"a", 1.0}, {"b", 1.3}, {"c", 1.6}, {"d", 9.0}};
  RoundsOptions options;
  options.rounds = 30;
  timeInRounds(namesOf(device), device.timer(), options);
  EXPECT_GE(device.runs["a"], 4);
  EXPECT_GE(device.runs["b"], 4);
  EXPECT_LE(device.runs["c"], 4);
  EXPECT_LE(device.runs["d"], 2);
}

// Clearly slower schedules no longer run; those that may be as fast run to the end.
TEST(TuningRounds, RandomTheBeatenAreLeft) {
  FakeDevice device;
  device.ms = {{"a", 1.0}, {"b", 1.0}, {"c", 1.3}};
  RoundsOptions options;
  options.rounds = 30;
  timeInRounds(namesOf(device), device.timer(), options);
  EXPECT_GE(std::min(device.runs["a"], device.runs["b"]), 30);
  EXPECT_LE(device.runs["c"], 8);
}

// The previous choice is timed beside the others, also if it seemed hopeless at first.
TEST(TuningRounds, RandomTheAnchorIsInTheRounds) {
  FakeDevice device;
  device.ms = {{"a", 9.0}, {"b", 1.0}, {"c", 1.0}, {"d", 1.0}};
  RoundsOptions options;
  options.most = 2;
  timeInRounds(namesOf(device), device.timer(), options);
  const int without = device.runs["a"];
  device.runs.clear();
  options.anchor = "a";
  timeInRounds(namesOf(device), device.timer(), options);
  EXPECT_LT(without, 5);
  EXPECT_GE(device.runs["a"], 6);
  EXPECT_LE(device.runs["a"], 8);
  EXPECT_TRUE(device.open.empty());
}

// Runs of a second: one that is much slower runs once, and few runs are enough for a median.
TEST(TuningRounds, RandomFewRunsWhereTheyAreLong) {
  FakeDevice device;
  device.ms = {{"a", 1000.0}, {"b", 1000.0}, {"c", 1500.0}, {"d", 5000.0}};
  RoundsOptions options;
  options.rounds = 50;
  timeInRounds(namesOf(device), device.timer(), options);
  EXPECT_GE(device.runs["a"], 6);
  EXPECT_LE(device.runs["a"], 8);
  EXPECT_LE(device.runs["c"], 2);
  EXPECT_EQ(device.runs["d"], 1);
}

// Further schedules are requested, with the times known by then, until there are none.
TEST(TuningRounds, RandomTriesWhatIsToldOnTheWay) {
  FakeDevice device;
  device.ms = {{"a", 3.0}, {"b", 2.5}, {"c", 2.0}, {"d", 4.0}};
  RoundsOptions options;
  std::vector<std::string> best;
  options.more = [&](const std::vector<TimedSchedule>& ranked) -> std::vector<std::string> {
    best.push_back(ranked.front().name);
    EXPECT_TRUE(std::is_sorted(ranked.begin(), ranked.end(),
                               [](const auto& a, const auto& b) { return a.ms < b.ms; }));
    return best.size() == 1   ? std::vector<std::string>{"c", "d"}
           : best.size() == 2 ? std::vector<std::string>{"b"}
                              : std::vector<std::string>();
  };
  const FilterTimes end = timeInRounds({"a"}, device.timer(), options);
  EXPECT_EQ(best, (std::vector<std::string>{"a", "c", "c"}));
  EXPECT_EQ(device.opened, (std::vector<std::string>{"a", "c", "d", "b"}));
  EXPECT_EQ(end.measured.front().name, "c");
  EXPECT_EQ(end.measured.size(), 4U);
  // If time runs out, the schedules that are left are reported as untried, and no more are requested.
  best.clear();
  options.seconds = 1e-9;
  EXPECT_EQ(timeInRounds({"a"}, device.timer(), options).untried, (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(best.size(), 1U);
}

TEST(TuningRounds, RandomEndsAfterSoManyRunsOfTheBest) {
  FakeDevice device;
  for (int i = 0; i < 50; ++i)
    device.ms["s" + std::to_string(i)] = 1000.0;
  RoundsOptions options;
  options.bestRuns = 20.0;  // of a second each
  const double begin = device.clock;
  const FilterTimes end = timeInRounds(namesOf(device), device.timer(), options);
  EXPECT_GE(device.clock - begin, 20.0);
  EXPECT_LE(device.clock - begin, 25.0);
  EXPECT_GE(end.measured.size(), 4U);
  EXPECT_GE(end.untried.size(), 40U);
}

TEST(TuningRounds, RandomKeepsFewOpen) {
  FakeDevice device;
  for (int i = 0; i < 12; ++i)
    device.ms["s" + std::to_string(i)] = 1.0 + 0.01 * ((7 * i) % 12);
  RoundsOptions options;
  options.most = 3;
  const FilterTimes end = timeInRounds(namesOf(device), device.timer(), options);
  EXPECT_LE(device.mostOpen, 4U);
  EXPECT_EQ(end.measured.front().name, "s0");
  EXPECT_EQ(end.measured.size(), 12U);
}

TEST(TuningRounds, RandomEndsInTime) {
  FakeDevice device;
  for (int i = 0; i < 50; ++i)
    device.ms["s" + std::to_string(i)] = 1.0;
  RoundsOptions options;
  options.seconds = 20.0;
  const double begin = device.clock;
  const FilterTimes end = timeInRounds(namesOf(device), device.timer(), options);
  EXPECT_LE(device.clock - begin, options.seconds + 5.0);  // rounds that have begun are finished
  EXPECT_EQ(end.measured.size() + end.untried.size(), 50U);
  EXPECT_GE(end.measured.size(), 4U);
  options.seconds = 1e-9;  // the first one, all the same
  EXPECT_EQ(timeInRounds(namesOf(device), device.timer(), options).measured.size(), 1U);
}

TEST(TuningRounds, RandomWhatTheDeviceRefusesIsLeftOut) {
  FakeDevice device;
  device.ms = {{"a", 1.0}, {"b", 2.0}};
  device.refused = {"a"};
  const FilterTimes end = timeInRounds({"a", "b"}, device.timer(), {});
  ASSERT_EQ(end.measured.size(), 1U);
  EXPECT_EQ(end.measured.front().name, "b");
  device.refused = {"a", "b"};
  EXPECT_TRUE(timeInRounds({"a", "b"}, device.timer(), {}).measured.empty());
}

}  // namespace
}  // namespace lacuna::test
