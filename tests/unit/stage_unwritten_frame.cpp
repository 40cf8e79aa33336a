// Which passes run in frames that are not written: against what the next frame's values are made of, pass by
// pass; and their barriers, in each order of written and unwritten frames.

#include <gtest/gtest.h>

#include <set>

#include "graph/frame/arena_plan.h"
#include "graph/frame/barriers.h"
#include "graph/frame/lifetime.h"
#include "graph/frame/unwritten_frame.h"
#include "tests/unit/stage_random.h"

namespace lacuna {
namespace {

using test::drawnSeed;
using test::RandomSchedule;

// From the definition, forwards: a resource is made of the passes that wrote to it, and of all that those
// had read; what persists at the end of the frame must be made as ever.
std::vector<bool> madeOf(const Schedule& schedule) {
  std::vector<std::set<size_t>> makers(schedule.resources.size());
  for (size_t p = 0; p < schedule.passes.size(); ++p) {
    std::set<size_t> sources = {p};
    for (const Access& access : schedule.passes[p].accesses) {
      if (access.kind != AccessKind::write) {
        sources.insert(makers[access.resource].begin(), makers[access.resource].end());
      }
    }
    for (const Access& access : schedule.passes[p].accesses) {
      if (access.kind != AccessKind::read) {
        makers[access.resource].insert(sources.begin(), sources.end());
      }
    }
  }
  std::vector<bool> result(schedule.passes.size(), false);
  for (size_t r = 0; r < makers.size(); ++r) {
    for (const size_t p : makers[r]) {
      result[p] = result[p] || schedule.resources[r].persistent;
    }
  }
  return result;
}

Schedule plannedFrame(unsigned seed, int passes) {
  return placeBarriers(planArena(lifetimes(RandomSchedule(seed).make(passes))));
}

std::string lines(const std::vector<std::string>& violations) {
  std::string text;
  for (const std::string& line : violations) {
    text += line + "\n";
  }
  return text;
}

TEST(StageUnwrittenFrame, RandomRunsWhatTheNextFrameIsMadeOf) {
  const unsigned first = drawnSeed();
  size_t run = 0, left = 0;
  for (unsigned seed = first; seed < first + 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Schedule schedule = RandomSchedule(seed).make(5 + static_cast<int>(seed % 40));
    const std::vector<bool> runs = passesForNextFrame(schedule);
    ASSERT_EQ(runs, madeOf(schedule)) << print(schedule);
    for (size_t p = 0; p < runs.size(); ++p) {
      ++(runs[p] ? run : left);
      ASSERT_FALSE(runs[p] && schedule.passes[p].kind == PassKind::download);
    }
  }
  EXPECT_GT(run, 500U);
  EXPECT_GT(left, 500U);
}

TEST(StageUnwrittenFrame, RandomBarriersHoldInEachOrder) {
  const unsigned first = drawnSeed();
  for (unsigned seed = first; seed < first + 80; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Schedule whole = plannedFrame(seed, 5 + static_cast<int>(seed % 40));
    const Schedule part = unwrittenFrame(whole);
    ASSERT_LE(part.barriers.size(), whole.barriers.size());
    ASSERT_EQ(lines(checkBarriers(part)), "") << print(part);
    ASSERT_EQ(lines(checkBarriers(whole, part)), "") << print(part);
    ASSERT_EQ(lines(checkBarriers(part, whole)), "") << print(part);
  }
}

// The checker sees a pass that is missing, and a barrier.
TEST(StageUnwrittenFrame, RandomGapsAreFound) {
  const unsigned first = drawnSeed();
  size_t passes = 0, barriers = 0;
  for (unsigned seed = first; seed < first + 25; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Schedule whole = plannedFrame(seed, 5 + static_cast<int>(seed % 40));
    const Schedule part = unwrittenFrame(whole);
    for (size_t b = 0; b < part.barriers.size(); ++b, ++barriers) {
      Schedule broken = part;
      broken.barriers.erase(broken.barriers.begin() + static_cast<std::ptrdiff_t>(b));
      ASSERT_NE(lines(checkBarriers(whole, broken)), "") << "barrier " << b;
    }
    for (size_t p = 0; p < part.passes.size(); ++p) {
      const std::vector<Access>& accesses = part.passes[p].accesses;
      if (accesses.size() != 1 || part.passes[p].kind != PassKind::upload) {
        continue;
      }
      Schedule broken = part;
      broken.passes[p].accesses.clear();
      ASSERT_NE(lines(checkBarriers(whole, broken)), "") << "upload " << p;
      ++passes;
    }
  }
  EXPECT_GT(barriers, 20U);
  EXPECT_GT(passes, 5U);
}

TEST(StageUnwrittenFrame, NothingRunsWithoutFeedback) {
  Schedule schedule;
  for (const char* name : {"in", "out"}) {
    Resource resource;
    resource.name = name;
    resource.bytes = 256;
    schedule.resources.push_back(resource);
  }
  schedule.passes.resize(3);
  schedule.passes[0].accesses = {{0, AccessKind::write, AccessPoint::transfer, 0, 0}};
  schedule.passes[1].accesses = {{0, AccessKind::read}, {1, AccessKind::write}};
  schedule.passes[2].accesses = {{1, AccessKind::read, AccessPoint::transfer, 0, 0}};
  EXPECT_EQ(passesForNextFrame(schedule), std::vector<bool>(3, false));
  schedule.resources[1].persistent = true;
  EXPECT_EQ(passesForNextFrame(schedule), (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace lacuna
