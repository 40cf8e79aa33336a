// Bank conflicts of every tile in use, counted by a simulation of 32 banks of 32 bits (bank_pattern.h).

#include "graph/families/shared_tile.h"

#include "graph/families/family.h"
#include "graph/pattern/bank_pattern.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent sharedTileExtent{100, 50};

struct Chain {
  std::string name;
  NodeGraph graph;
  const Node& node() const {
    for (const Node& n : graph.nodes)
      if (n.name.ends_with(name))
        return n;
    throw std::logic_error("no node " + name);
  }
};

// Chains of both filters in both precisions, with 1 to 3 levels, since the lattice's tile widens with the
// first ones.
std::vector<Chain> chains() {
  std::vector<Chain> all;
  for (int levels = 1; levels <= 3; ++levels) {
    for (const std::string precision : {"f16", "f32"}) {
      all.push_back({":atrous", graphOf(eawText(levels, "param:eaw:01:precision:" + precision + "\n"),
                                        sharedTileExtent)});
      const std::string guided = guidedText(levels) + "param:atrous-guided:01:precision:" + precision + "\n";
      all.push_back({":levels", graphOf(guided, sharedTileExtent)});
      all.push_back({":variance", graphOf(guided, sharedTileExtent)});
    }
  }
  return all;
}

TEST(SharedTiles, InUseHaveNoBankConflicts) {
  int tiles = 0;
  for (const Chain& chain : chains()) {
    const bool synthesis = chain.node().description->stencil.synthesis;
    for (const StencilSchedule& schedule : allSchedules(synthesis)) {
      if (!schedule.shares())
        continue;
      const SharedTile tile = schedule.family->tile({chain.graph, chain.node(), schedule});
      EXPECT_EQ(bankConflicts(tile, schedule, std::nullopt), 0U)
          << chain.node().name << ", " << print(schedule);
      ++tiles;
    }
  }
  EXPECT_GT(tiles, 50);
}

// Rows conflict in narrow workgroups, and with fields of 32 bits in workgroups 16 wide. Computed by hand: 16
// fields of 8 bytes are served together; two rows of 8 in a tile of 12 lie in banks 0-7 and 12-19, of 16.
struct Narrow {
  std::vector<uint32_t> cellBits;
  uint32_t workgroup[2];
  uint32_t conflicts;  // of rows, over all subgroups
  const char* shape;   // that has none
};

TEST(SharedTiles, ReshapedSubgroupsHaveNoBankConflicts) {
  const Narrow cases[] = {{{64}, {8, 8}, 4, "4x4"},   {{32}, {16, 8}, 4, "4x8"},
                          {{32}, {16, 16}, 8, "4x8"}, {{32}, {8, 8}, 2, "4x8"},
                          {{128}, {8, 8}, 0, "4x2"},  {{32, 64, 128}, {16, 8}, 4, "4x8"}};
  for (const Narrow& c : cases) {
    StencilSchedule schedule;
    schedule.family = familyNamed("tiled");
    schedule.workgroup[0] = c.workgroup[0];
    schedule.workgroup[1] = c.workgroup[1];
    const SharedTile tile{c.workgroup[0] + 4, c.workgroup[1] + 4, c.cellBits, 0};
    const auto shape = conflictFreeShape(tile, schedule);
    ASSERT_TRUE(shape.has_value());
    EXPECT_EQ(std::to_string(shape->width) + "x" + std::to_string(shape->height), c.shape);
    EXPECT_EQ(bankConflicts(tile, schedule, std::nullopt), c.conflicts) << c.shape;
    EXPECT_EQ(bankConflicts(tile, schedule, shape), 0U) << c.shape;
  }
}

// As Larsson 2015 and others pad: rows of invocations continue in the banks.
TEST(SharedTiles, PaddedRowsHaveNoBankConflicts) {
  const NodeGraph graph = graphOf(guidedText(2), sharedTileExtent);
  const Chain chain{":levels", graph};
  for (const char* name :
       {"tiled-padded@8x8/buffer", "tiled-padded@16x16/buffer", "tiled-padded@7x8/buffer"}) {
    const StencilSchedule schedule = schedulesNamed(name, false).front();
    const SharedTile tile = schedule.family->tile({graph, chain.node(), schedule});
    EXPECT_EQ(tile.stride() % 32, schedule.workgroup[0]) << name;
    EXPECT_EQ(tile.bytes, 24 * tile.stride() * tile.height) << name << ": colour, normal and depth";
    EXPECT_EQ(bankConflicts(tile, schedule, std::nullopt), 0U) << name;
  }
}

// Every tap decodes: geometry is 8 bytes as it is stored, and 16 when it is decoded.
TEST(SharedTiles, HoldPixelsAsTheyAreStored) {
  const NodeGraph graph = graphOf(guidedText(2), sharedTileExtent);
  const Chain chain{":levels", graph};
  const auto bytesOf = [&](const char* name) {
    const StencilSchedule schedule = schedulesNamed(name, false).front();
    return schedule.family->tile({graph, chain.node(), schedule}).bytes;
  };
  EXPECT_EQ(bytesOf("tiled/buffer"), 24U * 20 * 12);
  EXPECT_EQ(bytesOf("tiled-unstaged/buffer"), 16U * 20 * 12);
}

// A row of taps needs no rows around the workgroup, a column no columns.
TEST(SharedTiles, ReachAsFarAsTheWindow) {
  const NodeGraph graph = graphOf(guidedText(2), sharedTileExtent);
  const Chain chain{":levels", graph};
  const StencilSchedule schedule = schedulesNamed("tiled@16x8/buffer", false).front();
  const auto radius = static_cast<uint32_t>(chain.node().radius);
  ASSERT_GT(radius, 0U);
  const auto expectTile = [&](Support window, uint32_t width, uint32_t height) {
    const SharedTile tile = schedule.family->tile({chain.graph, chain.node(), schedule, window});
    EXPECT_EQ(std::pair(tile.width, tile.height), std::pair(width, height));
  };
  expectTile(Support::square, 16 + 2 * radius, 8 + 2 * radius);
  expectTile(Support::row, 16 + 2 * radius, 8);
  expectTile(Support::column, 16, 8 + 2 * radius);
}

// Four words a tap are asked for in four parts either way; split into single words, rows conflict.
TEST(SharedTiles, SplittingWideFieldsAsksNoLess) {
  StencilSchedule schedule;
  schedule.family = familyNamed("tiled");
  schedule.workgroup[1] = 8;
  const auto requests = [&](uint32_t bits, uint32_t arrays) {
    const SharedTile tile{20, 12, {bits}, 0};
    return arrays * bankCost({}, bits, cellsOfSubgroup(tile, schedule, std::nullopt, 0)).requests;
  };
  EXPECT_EQ(requests(128, 1), 4U);
  EXPECT_EQ(requests(64, 2), 4U);
  EXPECT_EQ(requests(32, 4), 8U);
}

TEST(SharedTiles, OfAnOddWidthHaveNoShape) {
  const NodeGraph graph = graphOf(guidedText(2), sharedTileExtent);
  const Chain chain{":levels", graph};
  const auto named = schedulesNamed("tiled-reshaped@7x8/buffer", false);
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(rejection(graph, chain.node(), named[0], wideDevice()),
            "no shape of a subgroup without bank conflicts covers 7x8 pixels");
}

}  // namespace
}  // namespace lacuna::test
