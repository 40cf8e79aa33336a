#include "graph/frame/barriers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "graph/frame/arena_plan.h"
#include "graph/frame/stages.h"
#include "tests/support/check_barriers.h"
#include "tests/unit/stage_random.h"

namespace lacuna {
namespace {

using test::drawnSeed;
using test::forSeeds;
using test::joined;
using test::RandomSchedule;

FrameGraph planned(unsigned seed, int passes) {
  const bool imagesApart = seed % 2 == 0;  // else buffers and images alias each other too
  const FrameGraph random = lifetimes(RandomSchedule(seed).make(passes));
  MemoryNeeds needs{{}, {{}, {}}};
  for (const Resource& resource : random.resources)
    needs.resources.push_back(
        {resource.bytes, 256, imagesApart && resource.kind == ResourceKind::image ? 1 : 0});
  return planArena(random, needs);
}

bool shareMemory(const FrameGraph& schedule, ResourceId a, ResourceId b) {
  const Placement& p = schedule.placements[a];
  const Placement& q = schedule.placements[b];
  return a == b || (p.arena == q.arena && p.offset < q.offset + q.bytes && q.offset < p.offset + p.bytes);
}

bool writesTo(const Access& access) {
  return access.kind != AccessKind::read;
}

// The least number of barriers by definition: a conflict of passes i < j needs one in (i, j]; walking up
// and placing each at the last moment stabs all such intervals with the fewest points.
size_t fewestBarriers(const FrameGraph& schedule) {
  size_t barriers = 0;
  PassId last;
  Table<ResourceId, bool> touched(schedule.resources.size(), false);
  for (const PassId pass : schedule.passes.ids()) {
    std::optional<PassId> from;  // no earlier access of the frame: an image's first use
    for (const Access& access : schedule.passes[pass].accesses) {
      const Resource& resource = schedule.resources[access.resource];
      const bool starts =
          resource.kind == ResourceKind::image && !resource.persistent && !touched[access.resource];
      if (starts)
        from = std::max(from, std::optional(PassId{}));
      for (const PassId before : schedule.passes.ids())
        for (const Access& earlier : schedule.passes[before].accesses)
          if (before < pass && (writesTo(access) || writesTo(earlier)) &&
              shareMemory(schedule, access.resource, earlier.resource))
            from = std::max(from, std::optional(before));
    }
    for (const Access& access : schedule.passes[pass].accesses)
      touched[access.resource] = true;
    if (from && last <= *from) {
      last = pass;
      ++barriers;
    }
  }
  return barriers;
}

TEST(StageBarriers, RandomAcceptedAndFewest) {
  forSeeds(300, [&](unsigned seed) {
    const FrameGraph schedule = placeBarriers(planned(seed, 5 + static_cast<int>(seed % 40)));
    ASSERT_EQ(joined(checkBarriers(schedule)), "") << print(schedule);
    ASSERT_EQ(schedule.barriers.size(), fewestBarriers(schedule)) << print(schedule);
    for (size_t i = 1; i < schedule.barriers.size(); ++i)
      ASSERT_LT(schedule.barriers[i - 1].before, schedule.barriers[i].before);
  });
}

TEST(StageBarriers, RandomEveryHazardIsNeeded) {
  const unsigned first = drawnSeed();
  size_t removed = 0;
  std::vector<unsigned> seeds = {488020};  // a barrier once had a wait that another of its waits implies
  for (unsigned seed = first; seed < first + 30; ++seed)
    seeds.push_back(seed);
  for (const unsigned seed : seeds) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const FrameGraph schedule = placeBarriers(planned(seed, 5 + static_cast<int>(seed % 25)));
    for (size_t b = 0; b < schedule.barriers.size(); ++b) {
      for (size_t h = 0; h < schedule.barriers[b].hazards.size(); ++h) {
        FrameGraph broken = schedule;
        std::vector<Hazard>& hazards = broken.barriers[b].hazards;
        hazards.erase(hazards.begin() + static_cast<std::ptrdiff_t>(h));
        ASSERT_FALSE(checkBarriers(broken).empty()) << "barrier " << b << " hazard " << h << "\n"
                                                    << print(schedule);
        ++removed;
      }
    }
  }
  EXPECT_GT(removed, 250U);
}

TEST(StageBarriers, RandomAnEarlierOrLaterPlaceIsRejected) {
  forSeeds(30, [&](unsigned seed) {
    const FrameGraph schedule = placeBarriers(planned(seed, 5 + static_cast<int>(seed % 25)));
    for (size_t b = 0; b < schedule.barriers.size(); ++b) {
      PassId latestFrom;
      for (const Hazard& hazard : schedule.barriers[b].hazards)
        latestFrom = std::max(latestFrom, hazard.from);
      FrameGraph broken = schedule;
      broken.barriers[b].before = PassId(schedule.barriers[b].before.index() + 1);
      EXPECT_FALSE(checkBarriers(broken).empty()) << "late " << b << "\n" << print(schedule);
      if (!latestFrom)
        continue;
      broken.barriers[b].before = latestFrom;
      EXPECT_FALSE(checkBarriers(broken).empty()) << "early " << b << "\n" << print(schedule);
    }
  });
}

// A schedule of single accesses, each a separate pass.
FrameGraph passesOver(Table<ResourceId, Resource> resources, const std::vector<Access>& accesses) {
  FrameGraph schedule;
  schedule.resources = std::move(resources);
  for (const Access& access : accesses) {
    Pass pass;
    pass.name = "p" + std::to_string(schedule.passes.size());
    pass.accesses = {access};
    schedule.passes.push_back(pass);
  }
  return planArena(lifetimes(std::move(schedule)));
}

Resource buffer(std::string name, bool persistent = false) {
  Resource resource;
  resource.name = std::move(name);
  resource.bytes = 512;
  resource.persistent = persistent;
  return resource;
}

constexpr ResourceId only(0);
constexpr AccessPoint inBuffer = AccessPoint::storageBuffer;

TEST(StageBarriers, TwoReadersShareOneBarrier) {
  const FrameGraph schedule =
      placeBarriers(passesOver({buffer("a")}, {{only, AccessKind::write, inBuffer, 0, 0},
                                               {only, AccessKind::read, inBuffer, 0, 0},
                                               {only, AccessKind::read, inBuffer, 0, 0}}));
  ASSERT_EQ(schedule.barriers.size(), 1U);
  EXPECT_EQ(schedule.barriers[0].before, PassId(1));
  ASSERT_EQ(schedule.barriers[0].hazards.size(), 1U);
  EXPECT_EQ(schedule.barriers[0].hazards[0].from, PassId(0));
  EXPECT_EQ(schedule.barriers[0].hazards[0].toKind, AccessKind::read);
}

// Last frame's value is read at the start and replaced at the end: between frames the recorder orders all.
TEST(StageBarriers, FeedbackNeedsNoneBetweenFrames) {
  const FrameGraph schedule = placeBarriers(passesOver(
      {buffer("old", true)},
      {{only, AccessKind::read, inBuffer, 0, 0}, {only, AccessKind::write, AccessPoint::transfer, 0, 0}}));
  ASSERT_EQ(schedule.barriers.size(), 1U);
  EXPECT_EQ(schedule.barriers[0].before, PassId(1));
  EXPECT_EQ(schedule.barriers[0].hazards[0].from, PassId(0));
  EXPECT_EQ(checkBarriers(schedule), std::vector<std::string>{});
}

// A buffer in the memory of two others, which were used in different ways: one wait, whose last pass is that
// of the latest use.
TEST(StageBarriers, WaitsOfOneResourceHaveTheLastPassOfAll) {
  const ResourceId left(0), right(1), both(2);
  FrameGraph schedule = passesOver({buffer("left"), buffer("right"), buffer("both")},
                                   {{left, AccessKind::write, inBuffer, 0, 0},
                                    {right, AccessKind::write, inBuffer, 0, 0},
                                    {right, AccessKind::read, inBuffer, 0, 0},
                                    {both, AccessKind::write, inBuffer, 0, 0}});
  schedule.resources[both].bytes = schedule.placements[both].bytes = 1024;
  schedule.placements[left].offset = schedule.placements[both].offset = 0;
  schedule.placements[right].offset = 512;
  schedule = placeBarriers(schedule);
  EXPECT_EQ(joined(checkBarriers(schedule)), "");
  ASSERT_EQ(schedule.barriers.size(), 2U);
  EXPECT_EQ(schedule.barriers[1].before, PassId(3));
  ASSERT_EQ(schedule.barriers[1].hazards.size(), 1U);
  EXPECT_EQ(schedule.barriers[1].hazards[0].from, PassId(2));
  EXPECT_EQ(schedule.barriers[1].hazards[0].fromKind, AccessKind::readWrite);
}

TEST(StageBarriers, CheckNamesWhatIsWrong) {
  FrameGraph schedule = passesOver({buffer("a"), buffer("b")}, {{only, AccessKind::write, inBuffer, 0, 0},
                                                                {only, AccessKind::read, inBuffer, 0, 0}});
  EXPECT_EQ(
      joined(checkBarriers(schedule)),
      "the storage buffer read of 'a' in pass 1 'p1' does not wait for the storage buffer write of 'a' in "
      "pass 0 'p0'\n");
  schedule = passesOver({buffer("a")}, {{only, AccessKind::read, inBuffer, 0, 0}});
  EXPECT_EQ(joined(checkBarriers(placeBarriers(schedule))),
            "the storage buffer read of 'a' in pass 0 'p0' finds what nobody wrote\n");
  Resource image = buffer("i");
  image.kind = ResourceKind::image;
  schedule = placeBarriers(passesOver({image}, {{only, AccessKind::write, AccessPoint::storageImage, 0, 0},
                                                {only, AccessKind::read, AccessPoint::sampledImage, 0, 0}}));
  EXPECT_EQ(joined(checkBarriers(schedule)), "");
  ASSERT_TRUE(schedule.barriers.at(0).hazards.at(0).discard);
  FrameGraph broken = schedule;
  broken.barriers[0].hazards[0].discard = false;
  EXPECT_EQ(joined(checkBarriers(broken)),
            "the storage image write of 'i' in pass 0 'p0' comes without a discard\n");
  broken = schedule;
  broken.barriers[1].hazards[0].discard = true;
  EXPECT_EQ(checkBarriers(broken).at(0), "'i' is discarded before pass 1 but in use since before");
  broken.placements[only].bytes = 0;
  EXPECT_EQ(checkBarriers(broken).at(0), "'i' is used but has no memory");
}

}  // namespace
}  // namespace lacuna
