#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "graph/frame/arena_plan.h"
#include "graph/frame/lifetime.h"
#include "graph/frame/order.h"
#include "tests/unit/stage_random.h"

namespace lacuna {
namespace {

using test::drawnSeed;
using test::Random;
using test::RandomSchedule;

uint64_t peak(const OrderedPasses& passes) {
  const std::vector<uint64_t> live = liveBytes(lifetimes({passes}));
  return *std::max_element(live.begin(), live.end());
}

MemoryNeeds twoArenas(const Passes& passes) {
  MemoryNeeds needs{{}, {{}, {}}};
  for (const Resource& resource : passes.resources) {
    const bool image = resource.kind == ResourceKind::image;
    needs.resources.push_back({resource.bytes + (image ? 300 : 0), image ? 1024U : 64U, image ? 1 : 0});
  }
  return needs;
}

TEST(StageLifetime, FirstToLastTouch) {
  Schedule schedule;
  schedule.resources.resize(4);
  schedule.resources[2].persistent = schedule.resources[3].persistent = true;
  schedule.resources[0].bytes = 100;
  schedule.resources[1].bytes = 20;
  schedule.resources[2].bytes = 3;
  schedule.passes.resize(4);
  schedule.passes[1].accesses = {{0, AccessKind::write, AccessPoint::storageBuffer, 0, 0}};
  schedule.passes[2].accesses = {{0, AccessKind::read, AccessPoint::storageBuffer, 0, 0},
                                 {1, AccessKind::write, AccessPoint::storageBuffer, 1, 0}};
  schedule.passes[3].accesses = {{2, AccessKind::read, AccessPoint::storageBuffer, 0, 0}};
  schedule = lifetimes(schedule);
  const std::vector<std::pair<int, int>> expected = {{1, 2}, {2, 2}, {0, 3}, {-1, -1}};
  for (size_t r = 0; r < expected.size(); ++r)
    EXPECT_EQ(std::make_pair(schedule.lifetimes[r].first, schedule.lifetimes[r].last), expected[r]) << r;
  EXPECT_EQ(liveBytes(schedule), (std::vector<uint64_t>{3, 103, 123, 3}));
}

void checkPlan(const Schedule& schedule, bool alias) {
  const MemoryNeeds needs = twoArenas(schedule);
  std::map<int, uint64_t> ends;
  for (size_t a = 0; a < schedule.resources.size(); ++a) {
    const Placement& p = schedule.placements[a];
    const Lifetime lifeA = schedule.lifetimes[a];
    ASSERT_EQ(p.bytes, lifeA.first < 0 ? 0 : needs.resources[a].bytes);
    ASSERT_EQ(p.offset % p.alignment, 0U);
    ends[p.arena] = std::max(ends[p.arena], p.offset + p.bytes);
    for (size_t b = 0; b < a; ++b) {
      const Placement& q = schedule.placements[b];
      const Lifetime lifeB = schedule.lifetimes[b];
      const bool together = !alias || schedule.resources[a].persistent || schedule.resources[b].persistent ||
                            (lifeA.first <= lifeB.last && lifeB.first <= lifeA.last);
      if (together && p.arena == q.arena && p.bytes > 0 && q.bytes > 0) {
        ASSERT_TRUE(p.offset + p.bytes <= q.offset || q.offset + q.bytes <= p.offset) << a << " and " << b;
      }
    }
  }
  uint64_t total = 0;
  for (const auto& [arena, end] : ends)
    total += end;
  ASSERT_EQ(schedule.arenaBytes, total);
}

TEST(StageArenaPlan, RandomLiveResourcesNeverOverlap) {
  const unsigned first = drawnSeed();
  uint64_t aliased = 0, apart = 0;
  for (unsigned seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Schedule schedule = RandomSchedule(seed).make(5 + static_cast<int>(seed % 60));
    schedule.resources.emplace_back();  // used by no pass
    schedule.resources.back().bytes = 1U << 20U;
    schedule = lifetimes(schedule);
    const Schedule shared = planArena(schedule, twoArenas(schedule));
    const Schedule separate = planArena(schedule, twoArenas(schedule), false);
    checkPlan(shared, true);
    checkPlan(separate, false);
    ASSERT_GE(shared.arenaBytes, peak(schedule));
    ASSERT_EQ(planArena(schedule).largestLiveBytes, peak(schedule));
    ASSERT_LE(separate.arenaBytes, separate.unaliasedBytes);
    ASSERT_LE(shared.arenaBytes, separate.unaliasedBytes);
    aliased += shared.arenaBytes;
    apart += separate.arenaBytes;
  }
  EXPECT_LT(aliased, apart * 3 / 4);
}

// Chains as image graphs have them: each step reads the last result, now and then an older one, over
// images of the same few sizes.
TEST(StageArenaPlan, RandomChainsComeNearTheLiveMaximum) {
  const unsigned first = drawnSeed();
  double sum = 0.0;
  const int rounds = 200;
  for (unsigned seed = first; seed < first + rounds; ++seed) {
    Random random(seed);
    Schedule schedule;
    for (int step = 0; step < 40; ++step) {
      Resource resource;
      resource.bytes = uint64_t{1} << (18 + random.upTo(2));
      schedule.resources.push_back(resource);
      Pass pass;
      pass.accesses.push_back({step, AccessKind::write, AccessPoint::storageBuffer, 0, 0});
      if (step > 0)
        pass.accesses.push_back({step - 1, AccessKind::read, AccessPoint::storageBuffer, 1, 0});
      if (step > 1 && random.oneIn(3))
        pass.accesses.push_back(
            {std::max(0, step - 2 - random.upTo(5)), AccessKind::read, AccessPoint::storageBuffer, 2, 0});
      schedule.passes.push_back(pass);
    }
    const uint64_t floor = peak(schedule);
    const uint64_t total = planArena(lifetimes(schedule)).arenaBytes;
    ASSERT_GE(total, floor);
    sum += static_cast<double>(total) / static_cast<double>(floor);
  }
  EXPECT_LE(sum / rounds, 1.15) << "mean over seeds " << first << "...";
  RecordProperty("meanOverFloor", std::to_string(sum / rounds));
}

// What lives at the same time and crosses no chunk's end, with resources almost as large as a chunk.
TEST(StageArenaPlan, RandomNothingCrossesAChunk) {
  const unsigned first = drawnSeed();
  constexpr uint64_t chunk = 20480;
  int chunks = 0;
  for (unsigned seed = first; seed < first + 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Schedule random = lifetimes(RandomSchedule(seed).make(30));
    MemoryNeeds needs{{}, {{~0U, chunk}}};
    for (const Resource& resource : random.resources)
      needs.resources.push_back({resource.bytes, 256, 0});
    const Schedule schedule = planArena(random, needs);
    for (size_t a = 0; a < schedule.resources.size(); ++a) {
      const Placement& p = schedule.placements[a];
      if (p.bytes == 0)
        continue;
      ASSERT_EQ(p.offset / chunk, (p.offset + p.bytes - 1) / chunk) << a;
      chunks = std::max(chunks, static_cast<int>(p.offset / chunk) + 1);
      for (size_t b = 0; b < a; ++b) {
        const Placement& q = schedule.placements[b];
        const Lifetime lifeA = schedule.lifetimes[a], lifeB = schedule.lifetimes[b];
        const bool together = lifeA.first <= lifeB.last && lifeB.first <= lifeA.last;
        ASSERT_TRUE(!together || p.offset + p.bytes <= q.offset || q.offset + q.bytes <= p.offset);
      }
    }
  }
  EXPECT_GT(chunks, 1);
}

bool conflict(const Pass& a, const Pass& b) {
  for (const Access& x : a.accesses)
    for (const Access& y : b.accesses)
      if (x.resource == y.resource && (x.kind != AccessKind::read || y.kind != AccessKind::read))
        return true;
  return false;
}

TEST(StageOrder, RandomTopologicalAndNeverWorse) {
  const unsigned first = drawnSeed();
  uint64_t before = 0, after = 0;
  for (unsigned seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Schedule given = RandomSchedule(seed).make(5 + static_cast<int>(seed % 50));
    const OrderedPasses ordered = order(given);
    ASSERT_EQ(given.passes.size(), ordered.passes.size());
    std::map<std::string, size_t> place;
    for (size_t i = 0; i < ordered.passes.size(); ++i)
      place[ordered.passes[i].name] = i;
    ASSERT_EQ(place.size(), given.passes.size());
    for (size_t j = 0; j < given.passes.size(); ++j)
      for (size_t i = 0; i < j; ++i)
        if (conflict(given.passes[i], given.passes[j])) {
          ASSERT_LT(place.at(given.passes[i].name), place.at(given.passes[j].name));
        }
    ASSERT_LE(peak(ordered), peak(given));
    before += peak(given);
    after += peak(ordered);
  }
  EXPECT_LT(after, before);
}

// Four branches of a large and a small result each, given side by side: one after the other needs a quarter.
TEST(StageOrder, BranchesOneAfterTheOther) {
  Schedule given;
  given.resources.resize(8);
  const uint64_t bytes[8] = {100, 100, 100, 100, 1, 1, 1, 1};
  for (int r = 0; r < 8; ++r)
    given.resources[r].bytes = bytes[r];
  const auto add = [&](int to, std::vector<int> from) {
    Pass pass;
    pass.name = "p" + std::to_string(to);
    pass.accesses.push_back({to, AccessKind::write, AccessPoint::storageBuffer, 0, 0});
    for (int r : from)
      pass.accesses.push_back({r, AccessKind::read, AccessPoint::storageBuffer, 1, 0});
    given.passes.push_back(pass);
  };
  for (int branch = 0; branch < 4; ++branch)
    add(branch, {});
  for (int branch = 0; branch < 4; ++branch)
    add(4 + branch, {branch});
  EXPECT_EQ(peak(given), 401U);
  EXPECT_EQ(peak(order(given)), 101U);
}

}  // namespace
}  // namespace lacuna
