// The passes of frames that are not written: against the origins of the next frame's values, pass by pass;
// and their barriers, in each order of written and unwritten frames.

#include <gtest/gtest.h>

#include <set>

#include "graph/frame/arena_plan.h"
#include "graph/frame/barriers.h"
#include "graph/frame/stages.h"
#include "tests/support/check_barriers.h"
#include "tests/unit/stage_random.h"

namespace lacuna {
namespace {

using test::forSeeds;
using test::joined;
using test::RandomSchedule;

// From the definition, forwards: a resource's value depends on the passes that wrote it and on everything
// that these read; persistent values at the end of the frame must depend on the same passes as before.
Table<PassId, bool> madeOf(const FrameGraph& schedule) {
  Table<ResourceId, std::set<PassId>> makers(schedule.resources.size());
  for (const PassId p : schedule.passes.ids()) {
    std::set<PassId> sources = {p};
    for (const Access& access : schedule.passes[p].accesses)
      if (access.kind != AccessKind::write)
        sources.insert(makers[access.resource].begin(), makers[access.resource].end());
    for (const Access& access : schedule.passes[p].accesses)
      if (access.kind != AccessKind::read)
        makers[access.resource].insert(sources.begin(), sources.end());
  }
  Table<PassId, bool> result(schedule.passes.size(), false);
  for (const ResourceId r : makers.ids())
    for (const PassId p : makers[r])
      result[p] = result[p] || schedule.resources[r].persistent;
  return result;
}

// Whether what a pass writes is read before something else is written in its place.
bool isRead(const FrameGraph& schedule, PassId writer, ResourceId resource) {
  bool isBehind = false;
  for (const PassId p : schedule.passes.ids()) {
    for (const Access& access : schedule.passes[p].accesses)
      if (isBehind && access.resource == resource)
        return access.kind != AccessKind::write;
    isBehind = isBehind || p == writer;
  }
  return schedule.resources[resource].persistent;
}

FrameGraph plannedFrame(unsigned seed, int passes) {
  return placeBarriers(planArena(lifetimes(RandomSchedule(seed).make(passes))));
}

TEST(StageUnwrittenFrame, RandomRunsWhatTheNextFrameIsMadeOf) {
  size_t run = 0, left = 0;
  forSeeds(400, [&](unsigned seed) {
    const FrameGraph schedule = RandomSchedule(seed).make(5 + static_cast<int>(seed % 40));
    const Table<PassId, bool> runs = passesForNextFrame(schedule);
    ASSERT_EQ(runs, madeOf(schedule)) << print(schedule);
    for (const PassId p : runs.ids()) {
      ++(runs[p] ? run : left);
      ASSERT_FALSE(runs[p] && schedule.passes[p].kind == PassKind::download);
    }
  });
  EXPECT_GT(run, 500U);
  EXPECT_GT(left, 500U);
}

TEST(StageUnwrittenFrame, RandomBarriersHoldInEachOrder) {
  forSeeds(80, [&](unsigned seed) {
    const FrameGraph whole = plannedFrame(seed, 5 + static_cast<int>(seed % 40));
    const FrameGraph part = unwrittenFrame(whole);
    ASSERT_LE(part.barriers.size(), whole.barriers.size());
    ASSERT_EQ(joined(checkBarriers(part)), "") << print(part);
    ASSERT_EQ(joined(checkBarriers(whole, part)), "") << print(part);
    ASSERT_EQ(joined(checkBarriers(part, whole)), "") << print(part);
  });
}

// The checker sees a pass that is missing, and a barrier.
TEST(StageUnwrittenFrame, RandomGapsAreFound) {
  size_t passes = 0, barriers = 0;
  forSeeds(25, [&](unsigned seed) {
    const FrameGraph whole = plannedFrame(seed, 5 + static_cast<int>(seed % 40));
    const FrameGraph part = unwrittenFrame(whole);
    for (size_t b = 0; b < part.barriers.size(); ++b, ++barriers) {
      FrameGraph broken = part;
      broken.barriers.erase(broken.barriers.begin() + static_cast<std::ptrdiff_t>(b));
      ASSERT_NE(joined(checkBarriers(whole, broken)), "") << "barrier " << b;
    }
    for (const PassId p : part.passes.ids()) {
      const std::vector<Access>& accesses = part.passes[p].accesses;
      if (accesses.size() != 1 || part.passes[p].kind != PassKind::upload ||
          !isRead(part, p, accesses.front().resource))
        continue;
      FrameGraph broken = part;
      broken.passes[p].accesses.clear();
      ASSERT_NE(joined(checkBarriers(whole, broken)), "") << "upload " << p.index();
      ++passes;
    }
  });
  EXPECT_GT(barriers, 20U);
  EXPECT_GT(passes, 5U);
}

TEST(StageUnwrittenFrame, NothingRunsWithoutFeedback) {
  FrameGraph schedule;
  const auto add = [&](const char* name) {
    Resource resource;
    resource.name = name;
    resource.bytes = 256;
    return schedule.resources.add(resource);
  };
  const ResourceId in = add("in");
  const ResourceId out = add("out");
  schedule.passes.emplace_back().accesses = {{in, AccessKind::write, AccessPoint::transfer, 0, 0}};
  schedule.passes.emplace_back().accesses = {{in, AccessKind::read}, {out, AccessKind::write}};
  schedule.passes.emplace_back().accesses = {{out, AccessKind::read, AccessPoint::transfer, 0, 0}};
  EXPECT_EQ(passesForNextFrame(schedule), (Table<PassId, bool>(3, false)));
  schedule.resources[out].persistent = true;
  EXPECT_EQ(passesForNextFrame(schedule), (Table<PassId, bool>{true, true, false}));
}

}  // namespace
}  // namespace lacuna
