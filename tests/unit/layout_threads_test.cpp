// The workgroups that layout dispatches, walked through the mappings of threads to pixels that
// families/family.h documents: each pixel is filtered once, none is left.

#include "graph/families/family.h"
#include "tests/unit/layout_support.h"
#include "tests/unit/stage_random.h"

namespace lacuna::test {
namespace {

struct Threads {
  uint32_t width = 0, height = 0;
};

Threads threadsOf(const Pass& pass) {
  return {pass.groups[0] * pass.shader.schedule.workgroup[0],
          pass.groups[1] * pass.shader.schedule.workgroup[1]};
}

// The place in the image of the element at position v of the layout permuted `levels` times: even positions
// first.
uint32_t original(uint32_t v, uint32_t n, int levels) {
  std::vector<uint32_t> order(n);
  for (uint32_t i = 0; i < n; ++i)
    order[i] = i;
  for (int l = 0; l < levels; ++l) {
    std::vector<uint32_t> next;
    for (uint32_t start : {0U, 1U})
      for (uint32_t i = start; i < n; i += 2)
        next.push_back(order[i]);
    order = next;
  }
  return order[v];
}

class Covered {
 public:
  explicit Covered(Extent extent)
      : extent_(extent), count_(static_cast<size_t>(extent.width) * extent.height, 0) {}
  void add(uint32_t x, uint32_t y) {
    if (x < extent_.width && y < extent_.height)
      ++count_[static_cast<size_t>(y) * extent_.width + x];
  }
  bool once() const {
    return std::all_of(count_.begin(), count_.end(), [](int n) { return n == 1; });
  }

 private:
  Extent extent_;
  std::vector<int> count_;
};

// Along an axis, thread g filters pixels p, p + s, ..., `count` of them, where runs of count * s pixels are
// split over s threads; those whose first pixel is in the image.
std::vector<uint32_t> walkRuns(uint32_t threads, uint32_t size, int level, int count) {
  const uint32_t s = 1U << static_cast<uint32_t>(level), each = static_cast<uint32_t>(count);
  std::vector<uint32_t> pixels;
  for (uint32_t g = 0; g < threads; ++g) {
    const uint32_t first = g / s * s * each + g % s;
    for (uint32_t o = 0; first < size && o < each; ++o)
      pixels.push_back(first + o * s);
  }
  return pixels;
}

void walkBlocks(Threads threads, Extent extent, int level, const StencilSchedule& schedule,
                Covered& covered) {
  for (const uint32_t y : walkRuns(threads.height, extent.height, level, schedule.rows))
    for (const uint32_t x : walkRuns(threads.width, extent.width, level, schedule.columns))
      covered.add(x, y);
}

// Columns are in groups of up to four neighbours; the order of the groups, and of rows, is the permuted one.
void walkLattice(Threads threads, Extent extent, int level, Covered& covered) {
  const int logGroup = std::min(level, latticeColumns);
  const uint32_t group = 1U << static_cast<uint32_t>(logGroup);
  const uint32_t groups = (extent.width + group - 1) / group;
  for (uint32_t v = 0; v < threads.width && v / group < groups; ++v) {
    const uint32_t x = original(v / group, groups, level - logGroup) * group + v % group;
    for (uint32_t w = 0; w < std::min(threads.height, extent.height); ++w)
      covered.add(x, original(w, extent.height, level));
  }
}

void expectCovered(const Pass& pass, Extent extent, int level) {
  const StencilSchedule& schedule = pass.shader.schedule;
  const Threads threads = threadsOf(pass);
  Covered covered(extent);
  if (schedule.pixels() > 1) {
    walkBlocks(threads, extent, level, schedule, covered);
  } else if (schedule.family == familyNamed("lattice")) {
    walkLattice(threads, extent, level, covered);
  } else {
    for (uint32_t y = 0; y < threads.height; ++y)
      for (uint32_t x = 0; x < threads.width; ++x)
        covered.add(x, y);
  }
  EXPECT_TRUE(covered.once()) << print(schedule) << ", level " << level << " of " << extent.width << "x"
                              << extent.height;
  ASSERT_GE(pass.pushConstants.size(), 2U);
  EXPECT_EQ(pass.pushConstants[0], static_cast<int32_t>(extent.width));
  EXPECT_EQ(pass.pushConstants[1], static_cast<int32_t>(extent.height));
}

TEST(LayoutThreads, RandomCoverEveryPixelOnce) {
  const unsigned seed = drawnSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int run = 0; run < 4; ++run) {
    const Extent extent = run == 0 ? Extent{1, 1}
                                   : Extent{static_cast<uint32_t>(1 + random.upTo(run % 5 == 0 ? 6 : 140)),
                                            static_cast<uint32_t>(1 + random.upTo(run % 3 == 0 ? 6 : 140))};
    const int levels = 1 + random.upTo(6);
    const NodeGraph graph = graphOf(eawText(levels), extent);
    for (StencilSchedule wanted : allSchedules(true)) {
      if (run % 2 == 1) {
        wanted.workgroup[0] = 1U << static_cast<uint32_t>(random.upTo(5));
        wanted.workgroup[1] = 1U << static_cast<uint32_t>(random.upTo(4));
      }
      const FrameGraph schedule = compiled(graph, print(wanted));
      int next = 0;
      for (const Pass& pass : schedule.passes) {
        if (pass.shader.kind != ShaderKind::stencilLevel)
          continue;
        const bool fused =
            pass.shader.schedule.family == familyNamed("fused");  // fused_levels_test.cpp walks them
        EXPECT_TRUE(pass.name.ends_with(fused && levels > 1 ? ".level0-1" : ".level" + std::to_string(next)));
        if (!fused)
          expectCovered(pass, extent, next);
        next += fused ? std::min(pass.shader.schedule.fused, levels) : 1;
      }
      EXPECT_EQ(next, levels);
    }
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

// Without the last row of workgroups, pixels are missing where that row is needed: the walk can fail.
TEST(LayoutThreads, TheWalkSeesMissingWorkgroups) {
  for (const char* name : {"rows3/buffer/gathered", "blocks2/buffer/carried", "lattice/image/carried"}) {
    const FrameGraph schedule = compiled(graphOf(eawText(3), {50, 61}), name);
    const Pass& pass = *passNamed(schedule, ".level2");
    Threads threads = threadsOf(pass);
    threads.height -= pass.shader.schedule.workgroup[1];
    Covered covered({50, 61});
    if (pass.shader.schedule.pixels() > 1)
      walkBlocks(threads, {50, 61}, 2, pass.shader.schedule, covered);
    else
      walkLattice(threads, {50, 61}, 2, covered);
    EXPECT_FALSE(covered.once()) << name;
  }
}

}  // namespace
}  // namespace lacuna::test
