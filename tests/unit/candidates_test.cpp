// Candidates of a chain: bytes and passes are those that the whole graph's layout gets.

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/places.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent candidatesExtent{97, 61};

void expectAsLaidOut(const NodeGraph& graph, const std::string& end) {
  const Node& node = nodeNamed(graph, end);
  for (const FilterCandidate& candidate : candidatesOf(graph, node, wideDevice())) {
    SCOPED_TRACE(candidate.told.name);
    ASSERT_EQ(candidate.told.rejected, "");
    const FrameGraph whole = compiled(graph, candidate.told.name);
    uint64_t bytes = 0;
    int passes = 0;
    for (const Pass& pass : whole.passes) {
      if (pass.name.starts_with(node.name + ".")) {
        bytes += pass.bytesRead + pass.bytesWritten;
        ++passes;
      }
    }
    EXPECT_EQ(candidate.told.passes, passes);
    EXPECT_EQ(candidate.told.bytes, bytes);
    EXPECT_GT(candidate.told.bytes, floorBytes(graph, node));
  }
}

TEST(Candidates, BytesAndPassesAreTheLayouts) {
  expectAsLaidOut(fuse(cull(graphOf(eawText(4), candidatesExtent)), wideDevice()), "eaw:01:atrous");
  expectAsLaidOut(fuse(cull(graphOf(guidedText(3), candidatesExtent)), wideDevice()),
                  "atrous-guided:01:levels");
}

// By hand: the colour is read and written in half, and the guided filter reads eight bytes of geometry and,
// for the next node, the input's alpha.
TEST(Candidates, FloorByHand) {
  constexpr uint64_t pixels = uint64_t{97} * 61;
  const NodeGraph eaw = fuse(cull(graphOf(eawText(4), candidatesExtent)), wideDevice());
  EXPECT_EQ(floorBytes(eaw, nodeNamed(eaw, "eaw:01:atrous")), pixels * (8 + 8));
  const NodeGraph guided = fuse(cull(graphOf(guidedText(4), candidatesExtent)), wideDevice());
  EXPECT_EQ(floorBytes(guided, nodeNamed(guided, "atrous-guided:01:levels")), pixels * (8 + 8 + 8 + 8));
}

TEST(Candidates, AskedForWorkgroupsJoinTheList) {
  const NodeGraph graph = fuse(cull(graphOf(eawText(4), candidatesExtent)), wideDevice());
  const Node& node = nodeNamed(graph, "eaw:01:atrous");
  const auto listed = [&](const std::string& name) {
    Diagnostics diagnostics;
    return selectSchedule({graph, node, wideDevice()}, {{"", name}}, {}, diagnostics)
        .choice.candidates.size();
  };
  const size_t usual = candidatesOf(graph, node, wideDevice()).size();
  EXPECT_EQ(listed("tiled@8x8/buffer/carried"), usual + 1);
  EXPECT_EQ(listed("tiled/buffer/carried"), usual);
  EXPECT_EQ(listed("auto"), usual);
}

TEST(Candidates, ShortRunsTakeWhatCompilesFast) {
  const NodeGraph graph = fuse(cull(graphOf(guidedText(4), candidatesExtent)), wideDevice());
  const Node& node = nodeNamed(graph, ":levels");
  const auto chosen = [&](int frames) {
    Diagnostics diagnostics;
    FilterKnowledge known;
    known.frames = frames;
    return selectSchedule({graph, node, wideDevice()}, {}, known, diagnostics).choice;
  };
  EXPECT_NE(chosen(1).schedule, chosen(0).schedule);
  EXPECT_EQ(chosen(1).reason.find(", compiling included"), chosen(1).reason.size() - 20) << chosen(1).reason;
  EXPECT_EQ(chosen(100'000'000).schedule, chosen(0).schedule);
}

// Measurements of a schedule that is only taken by name make it a candidate, too.
TEST(Candidates, MeasuredSchedulesJoinTheList) {
  const NodeGraph graph = fuse(cull(graphOf(guidedText(4), candidatesExtent)), wideDevice());
  const Node& node = nodeNamed(graph, ":levels");
  Diagnostics diagnostics;
  const FilterKnowledge known{
      {}, {{"fused3@32x8/buffer", 1.0}, {"tiled-mirrored@16x8/image", 0.5}}, "2026-11-23"};
  DeviceModel device = wideDevice();
  device.maxSharedMemory = 1U << 17U;
  const FilterChoice choice = selectSchedule({graph, node, device}, {}, known, diagnostics).choice;
  EXPECT_EQ(choice.schedule, "fused3@32x8/buffer");  // the other one is not exact
  EXPECT_EQ(choice.candidates.size(), candidatesOf(graph, node, device).size() + 2);
}

// Times of schedules that the device can't run change nothing, and aren't shown.
TEST(Candidates, TimesOfRejectedSchedulesCountNothing) {
  const NodeGraph graph = fuse(cull(graphOf(guidedText(4), candidatesExtent)), wideDevice());
  const Node& node = nodeNamed(graph, ":levels");
  DeviceModel device = wideDevice();
  device.maxSharedMemory = 1000;
  Diagnostics diagnostics;
  const FilterChoice estimated = selectSchedule({graph, node, device}, {}, {}, diagnostics).choice;
  FilterKnowledge known;
  for (const ScheduleCandidate& candidate : estimated.candidates)
    if (!candidate.rejected.empty())
      known.measured.push_back({candidate.name, 0.001});
  known.date = "2026-11-23";
  ASSERT_FALSE(known.measured.empty());
  const FilterChoice choice = selectSchedule({graph, node, device}, {}, known, diagnostics).choice;
  EXPECT_EQ(choice.reason, estimated.reason);
  ASSERT_EQ(choice.candidates.size(), estimated.candidates.size());
  for (size_t i = 0; i < choice.candidates.size(); ++i) {
    EXPECT_EQ(choice.candidates[i].name, estimated.candidates[i].name);
    EXPECT_EQ(choice.candidates[i].ms, estimated.candidates[i].ms);
    EXPECT_EQ(choice.candidates[i].measured, "");
  }
}

// Threads at both ends of a row only add up patches.
TEST(Candidates, RowsAreLongerThanTheEndsOfPatches) {
  for (const uint32_t patch : {1U, 3U, 4U, 5U, 8U}) {
    const NodeGraph graph = graphOf(
        fmt::format("i-memory:in non-local-means o-memory:out\nparam:non-local-means:01:patch:{}\n", patch),
        candidatesExtent, Format::f16, {LACUNA_MODULE_FOLDER, exampleFolder()});
    const auto node =
        std::ranges::find_if(graph.nodes, [&](const Node& each) { return makerOf(graph, each) != nullptr; });
    ASSERT_NE(node, graph.nodes.end());
    for (const uint32_t threads : {8U, 16U}) {
      const std::string name = fmt::format("strips8@{}x4/buffer", threads);
      EXPECT_EQ(makerOf(graph, *node)->make({graph, *node, wideDevice()}, name, {}).told.rejected,
                threads > 2 * patch ? "" : fmt::format("rows of {} threads are all ends of patches", threads))
          << patch;
    }
  }
}

}  // namespace
}  // namespace lacuna::test
