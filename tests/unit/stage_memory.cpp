#include <gtest/gtest.h>

#include <algorithm>

#include "graph/frame/arena_plan.h"
#include "graph/frame/stages.h"
#include "tests/unit/stage_random.h"

namespace lacuna {
namespace {

using test::drawnSeed;
using test::forSeeds;
using test::Random;
using test::RandomSchedule;

uint64_t peak(const FrameGraph& passes) {
  const Table<PassId, uint64_t> live = liveBytes(lifetimes({passes}));
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
  FrameGraph schedule;
  schedule.resources.resize(4);
  schedule.resources[ResourceId(2)].persistent = schedule.resources[ResourceId(3)].persistent = true;
  schedule.resources[ResourceId(0)].bytes = 100;
  schedule.resources[ResourceId(1)].bytes = 20;
  schedule.resources[ResourceId(2)].bytes = 3;
  schedule.passes.resize(4);
  schedule.passes[PassId(1)].accesses = {
      {ResourceId(0), AccessKind::write, AccessPoint::storageBuffer, 0, 0}};
  schedule.passes[PassId(2)].accesses = {
      {ResourceId(0), AccessKind::read, AccessPoint::storageBuffer, 0, 0},
      {ResourceId(1), AccessKind::write, AccessPoint::storageBuffer, 1, 0}};
  schedule.passes[PassId(3)].accesses = {{ResourceId(2), AccessKind::read, AccessPoint::storageBuffer, 0, 0}};
  schedule = lifetimes(schedule);
  const Table<ResourceId, Lifetime> expected = {
      {PassId(1), PassId(2)}, {PassId(2), PassId(2)}, {PassId(0), PassId(3)}, {}};
  for (const ResourceId r : expected.ids()) {
    EXPECT_EQ(schedule.lifetimes[r].first, expected[r].first) << r.index();
    EXPECT_EQ(schedule.lifetimes[r].last, expected[r].last) << r.index();
  }
  EXPECT_EQ(liveBytes(schedule), (Table<PassId, uint64_t>{3, 103, 123, 3}));
}

void checkPlan(const FrameGraph& schedule, bool alias) {
  const MemoryNeeds needs = twoArenas(schedule);
  std::map<int, uint64_t> ends;
  for (const ResourceId a : schedule.resources.ids()) {
    const Placement& p = schedule.placements[a];
    const Lifetime lifeA = schedule.lifetimes[a];
    ASSERT_EQ(p.bytes, lifeA.first ? needs.resources[a].bytes : 0);
    ASSERT_EQ(p.offset % p.alignment, 0U);
    ends[p.arena] = std::max(ends[p.arena], p.offset + p.bytes);
    for (const ResourceId b : schedule.resources.ids()) {
      const Placement& q = schedule.placements[b];
      const Lifetime lifeB = schedule.lifetimes[b];
      const bool together = !alias || schedule.resources[a].persistent || schedule.resources[b].persistent ||
                            (lifeA.first <= lifeB.last && lifeB.first <= lifeA.last);
      if (b < a && together && p.arena == q.arena && p.bytes > 0 && q.bytes > 0) {
        ASSERT_TRUE(p.offset + p.bytes <= q.offset || q.offset + q.bytes <= p.offset)
            << a.index() << " and " << b.index();
      }
    }
  }
  uint64_t total = 0;
  for (const auto& [arena, end] : ends)
    total += end;
  ASSERT_EQ(schedule.arenaBytes, total);
}

TEST(StageArenaPlan, RandomLiveResourcesNeverOverlap) {
  uint64_t aliased = 0, apart = 0;
  forSeeds(300, [&](unsigned seed) {
    FrameGraph schedule = RandomSchedule(seed).make(5 + static_cast<int>(seed % 60));
    schedule.resources.emplace_back();  // used by no pass
    schedule.resources.back().bytes = 1U << 20U;
    schedule = lifetimes(schedule);
    const FrameGraph shared = planArena(schedule, twoArenas(schedule));
    const FrameGraph separate = planArena(schedule, twoArenas(schedule), false);
    checkPlan(shared, true);
    checkPlan(separate, false);
    ASSERT_GE(shared.arenaBytes, peak(schedule));
    ASSERT_EQ(planArena(schedule).largestLiveBytes, peak(schedule));
    ASSERT_LE(separate.arenaBytes, separate.unaliasedBytes);
    ASSERT_LE(shared.arenaBytes, separate.unaliasedBytes);
    aliased += shared.arenaBytes;
    apart += separate.arenaBytes;
  });
  EXPECT_LT(aliased, apart * 3 / 4);
}

// Chains like those of image graphs: each step reads the last result, sometimes an older one, over images of
// a few sizes.
TEST(StageArenaPlan, RandomChainsComeNearTheLiveMaximum) {
  const unsigned first = drawnSeed();
  double sum = 0.0;
  const int rounds = 200;
  for (unsigned seed = first; seed < first + rounds; ++seed) {
    Random random(seed);
    FrameGraph schedule;
    std::vector<ResourceId> made;
    for (int step = 0; step < 40; ++step) {
      Resource resource;
      resource.bytes = uint64_t{1} << (18 + random.upTo(2));
      made.push_back(schedule.resources.add(resource));
      Pass pass;
      pass.accesses.push_back({made.back(), AccessKind::write, AccessPoint::storageBuffer, 0, 0});
      if (step > 0)
        pass.accesses.push_back({made[step - 1], AccessKind::read, AccessPoint::storageBuffer, 1, 0});
      if (step > 1 && random.oneIn(3))
        pass.accesses.push_back({made[std::max(0, step - 2 - random.upTo(5))], AccessKind::read,
                                 AccessPoint::storageBuffer, 2, 0});
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

// Resources that live at the same time and cross no chunk's end, almost as large as a chunk.
TEST(StageArenaPlan, RandomNothingCrossesAChunk) {
  constexpr uint64_t chunk = 20480;
  int chunks = 0;
  forSeeds(100, [&](unsigned seed) {
    const FrameGraph random = lifetimes(RandomSchedule(seed).make(30));
    MemoryNeeds needs{{}, {{~0U, chunk}}};
    for (const Resource& resource : random.resources)
      needs.resources.push_back({resource.bytes, 256, 0});
    const FrameGraph schedule = planArena(random, needs);
    for (const ResourceId a : schedule.resources.ids()) {
      const Placement& p = schedule.placements[a];
      if (p.bytes == 0)
        continue;
      ASSERT_EQ(p.offset / chunk, (p.offset + p.bytes - 1) / chunk) << a.index();
      chunks = std::max(chunks, static_cast<int>(p.offset / chunk) + 1);
      for (const ResourceId b : schedule.resources.ids()) {
        const Placement& q = schedule.placements[b];
        const Lifetime lifeA = schedule.lifetimes[a], lifeB = schedule.lifetimes[b];
        const bool together = lifeA.first <= lifeB.last && lifeB.first <= lifeA.last;
        ASSERT_TRUE(a == b || !together || p.offset + p.bytes <= q.offset || q.offset + q.bytes <= p.offset);
      }
    }
  });
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
  uint64_t before = 0, after = 0;
  forSeeds(300, [&](unsigned seed) {
    const FrameGraph given = RandomSchedule(seed).make(5 + static_cast<int>(seed % 50));
    const FrameGraph ordered = order(given);
    ASSERT_EQ(given.passes.size(), ordered.passes.size());
    std::map<std::string, size_t> place;
    for (const Pass& pass : ordered.passes)
      place.emplace(pass.name, place.size());
    ASSERT_EQ(place.size(), given.passes.size());
    for (const PassId late : given.passes.ids())
      for (const PassId early : given.passes.ids())
        if (early < late && conflict(given.passes[early], given.passes[late]))
          ASSERT_LT(place.at(given.passes[early].name), place.at(given.passes[late].name));
    ASSERT_LE(peak(ordered), peak(given));
    before += peak(given);
    after += peak(ordered);
  });
  EXPECT_LT(after, before);
}

// Four branches with a large and a small result each, in interleaved order; one after the other they need a
// quarter of the memory.
TEST(StageOrder, BranchesOneAfterTheOther) {
  FrameGraph given;
  const auto add = [&](uint64_t bytes, const std::vector<ResourceId>& from) {
    const ResourceId to = given.resources.next();
    given.resources.emplace_back().bytes = bytes;
    Pass pass;
    pass.name = "p" + std::to_string(to.index());
    pass.accesses.push_back({to, AccessKind::write, AccessPoint::storageBuffer, 0, 0});
    for (const ResourceId r : from)
      pass.accesses.push_back({r, AccessKind::read, AccessPoint::storageBuffer, 1, 0});
    given.passes.push_back(pass);
    return to;
  };
  std::vector<ResourceId> large;
  for (int branch = 0; branch < 4; ++branch)
    large.push_back(add(100, {}));
  for (const ResourceId each : large)
    add(1, {each});
  EXPECT_EQ(peak(given), 401U);
  EXPECT_EQ(peak(order(given)), 101U);
}

}  // namespace
}  // namespace lacuna
