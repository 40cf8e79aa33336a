// Names of schedules, what a device refuses, and what `auto` picks.

#include <set>

#include "graph/schedule/stencil/schedule_names.h"
#include "graph/schedule/stencil/schedule_words.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent scheduleNamesExtent{100, 50};

StencilSchedule named(const std::string& name, bool synthesis) {
  const auto found = schedulesNamed(name, synthesis);
  EXPECT_FALSE(found.empty()) << name;
  return found.empty() ? StencilSchedule{} : found.front();
}

TEST(ScheduleNames, PrintedNamesMeanThemselves) {
  for (const bool synthesis : {false, true}) {
    std::set<std::string> names;
    for (const StencilSchedule& schedule : allSchedules(synthesis)) {
      EXPECT_TRUE(names.insert(print(schedule)).second);
      const auto found = schedulesNamed(print(schedule), synthesis);
      ASSERT_EQ(found.size(), 1U) << print(schedule);
      EXPECT_EQ(print(found[0]), print(schedule));
    }
    // 10 shapes, 2 storages, no permuted gathers.
    EXPECT_EQ(names.size(), synthesis ? 56U : 20U);
  }
}

TEST(ScheduleNames, PrefixesAndWorkgroups) {
  EXPECT_EQ(schedulesNamed("rows", false).size(), 10U);
  EXPECT_EQ(schedulesNamed("rows4", true).size(), 6U);
  EXPECT_EQ(schedulesNamed("tiled/buffer", true).size(), 2U);
  EXPECT_EQ(schedulesNamed("fused", false).size(), 4U);   // two only by name
  EXPECT_EQ(schedulesNamed("blocks", false).size(), 8U);  // all only by name
  EXPECT_EQ(schedulesNamed("", false).size(), allSchedules(false).size());
  EXPECT_EQ(print(named("fused3@8x4/buffer", false)), "fused3@8x4/buffer");
  EXPECT_EQ(print(named("rows2@8x4/image/gathered", true)), "rows2@8x4/image/gathered");
  EXPECT_EQ(print(named("tiled/image/carried", false)), "tiled@16x8/image");  // more than this filter needs
  for (const char* none : {"rows7", "row1", "Baseline", "baseline/disk", "baseline@16", "baseline@0x4",
                           "baseline@16x16y", "baseline@-4x4/image", "tiled/image/gathered",
                           "permuted/buffer/gathered", "rows4/buffer/gathered/more"})
    EXPECT_TRUE(schedulesNamed(none, true).empty()) << none;
}

TEST(ScheduleNames, WordsFollowTheFamily) {
  EXPECT_EQ(print(named("tiled-local", true)), "tiled-local@16x8/image/pass");
  EXPECT_EQ(print(named("permuted-local@8x8/im", false)), "permuted-local@8x8/image");
  EXPECT_EQ(schedulesNamed("permuted-local", true).size(), 4U);
  EXPECT_EQ(print(named("tiled-reread-local/im", false)), "tiled-local-reread@16x8/image");
  for (const char* name : {"permuted-local@16x16/image", "tiled-local@8x8/image", "tiled-mirrored@16x8/image",
                           "tiled-local-reread-reshaped@16x16/buffer", "tiled-padded-unstaged@16x8/image"}) {
    const auto found = schedulesNamed(name, false);
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_EQ(print(found[0]), name);
  }
  for (const char* none :
       {"rows4-local", "baseline-local", "lattice-local", "perm-local", "tiled-local-local", "tiled-/buffer",
        "tiled-nosuch", "permuted-loc", "permuted/local", "tiled-mirrored-reread", "lattice-reshaped",
        "tiled-reshaped-padded", "lattice-unstaged"})
    EXPECT_TRUE(schedulesNamed(none, true).empty()) << none;
}

TEST(ScheduleNames, WrongWordsAreTold) {
  EXPECT_EQ(wrongWord("tiled-mirror/buffer"),
            "tiled takes -local, -mirrored, -reread, -reshaped, -padded, -unstaged, not -mirror");
  EXPECT_EQ(wrongWord("permuted-mirrored-reread@8x8"), "permuted-mirrored takes -local, not -reread");
  EXPECT_EQ(wrongWord("rows4-local"), "rows4 takes nothing more, not -local");
  for (const char* elsewhere : {"tiled", "tiled-local/disk", "tilde-local", "", "-local"})
    EXPECT_EQ(wrongWord(elsewhere), "") << elsewhere;
}

// Prefixes never select inexact schedules.
TEST(ScheduleNames, MirroredOnesOnlyComeByTheirFullName) {
  for (const bool synthesis : {false, true}) {
    for (const char* prefix : {"", "t", "tiled", "permuted"})
      for (const StencilSchedule& schedule : schedulesNamed(prefix, synthesis))
        EXPECT_TRUE(schedule.exact()) << print(schedule);
  }
  EXPECT_FALSE(named("tiled-mirrored", true).exact());
}

Selection choose(const NodeGraph& graph, const ForcedSchedules& forced, Diagnostics& diagnostics,
                 DeviceModel device = wideDevice()) {
  const bool synthesis = graph.modules.find("eaw:01") != nullptr;
  return selectSchedule({graph, nodeNamed(graph, synthesis ? ":atrous" : ":levels"), device}, forced, {},
                        diagnostics);
}

std::string chosenName(const NodeGraph& graph, const std::string& name, DeviceModel device = wideDevice()) {
  Diagnostics diagnostics;
  const Selection chosen = choose(graph, {{"", name}}, diagnostics, device);
  EXPECT_EQ(diagnostics.render(), "");
  EXPECT_NE(chosen.schedule, nullptr);
  return chosen.choice.schedule;
}

TEST(ScheduleChoice, APrefixMeansTheSynthesisThatPays) {
  const NodeGraph graph = graphOf(eawText(5), scheduleNamesExtent);
  EXPECT_EQ(chosenName(graph, "baseline"), "baseline@16x16/image/pass");
  EXPECT_TRUE(chosenName(graph, "rows").ends_with("/gathered"));
  EXPECT_TRUE(chosenName(graph, "rows").starts_with("rows2@"));
  EXPECT_TRUE(chosenName(graph, "lattice").ends_with("/gathered"));
  EXPECT_TRUE(chosenName(graph, "tiled").ends_with("/carried"));
  EXPECT_TRUE(chosenName(graph, "permuted/buffer").ends_with("/buffer/carried"));
  EXPECT_EQ(chosenName(graphOf(guidedText(5), scheduleNamesExtent), "baseline"), "baseline@16x16/image");
}

TEST(ScheduleChoice, OwnNamesComeBeforeTheCommonOne) {
  const NodeGraph graph = graphOf(eawText(5), scheduleNamesExtent);
  Diagnostics diagnostics;
  EXPECT_EQ(choose(graph, {{"", "tiled"}, {"eaw:01", "lattice/image/pass"}}, diagnostics).choice.schedule,
            "lattice@16x16/image/pass");
  EXPECT_EQ(choose(graph, {{"", "tiled/image"}, {"eaw:02", "baseline"}}, diagnostics).choice.schedule,
            "tiled@16x8/image/carried");
  EXPECT_EQ(choose(graph, {{"eaw:01", "tiled"}, {"eaw:01:atrous", "lattice/image/pass"}}, diagnostics)
                .choice.schedule,
            "lattice@16x16/image/pass");
  EXPECT_EQ(diagnostics.render(), "");
}

TEST(ScheduleChoice, UnknownNamesAreErrors) {
  Diagnostics diagnostics;
  choose(graphOf(eawText(5), scheduleNamesExtent), {{"", "rowz"}}, diagnostics);
  EXPECT_NE(diagnostics.render().find("no schedule of eaw:01:atrous is called 'rowz'"), std::string::npos);
}

std::string refused(const NodeGraph& graph, const std::string& name, const DeviceModel& device) {
  const bool synthesis = graph.modules.find("eaw:01") != nullptr;
  const Node& node = nodeNamed(graph, synthesis ? ":atrous" : ":levels");
  const std::string reason = rejection(graph, node, named(name, synthesis), device);
  Diagnostics diagnostics;
  choose(graph, {{"", name}}, diagnostics, device);
  EXPECT_EQ(diagnostics.render().find("the device can't run") != std::string::npos, !reason.empty()) << name;
  return reason;
}

TEST(ScheduleChoice, ForcedSchedulesBeyondTheDeviceAreErrors) {
  const NodeGraph graph = graphOf(eawText(5), scheduleNamesExtent);
  const std::tuple<const char*, uint32_t DeviceModel::*, uint32_t, const char*> cases[] = {
      {"rows4/image/gathered", &DeviceModel::maxImageSize, 100, ""},
      {"rows4/image/gathered", &DeviceModel::maxImageSize, 99, "100 pixels a side, images hold 99"},
      {"baseline/image/pass", &DeviceModel::maxWorkgroupInvocations, 255,
       "256 invocations a workgroup, the device allows 255"},
      {"tiled/image/carried", &DeviceModel::maxSharedMemory, 1919,
       "1920 bytes of shared memory, the device has 1919"},
      {"fused2/image/gathered", &DeviceModel::maxSharedMemory, 1919,
       "12800 bytes of shared memory, the device has 1919"},
      {"tiled/image/carried", &DeviceModel::maxSharedMemory, 3200, ""}};
  for (const auto& [name, limit, most, reason] : cases) {
    DeviceModel device = wideDevice();
    device.*limit = most;
    EXPECT_EQ(refused(graph, name, device), reason);
  }
  const std::tuple<const char*, uint64_t, const char*> ranges[] = {
      {"rows4/buffer/gathered", wideDevice().maxStorageBufferRange, ""},
      {"rows4/buffer/gathered", 39999, "a level takes 40000 bytes, storage buffers hold 39999"},
      {"rows4/buffer/carried", 79999, "a level takes 80000 bytes, storage buffers hold 79999"},
      {"rows4/buffer/gathered", 79999, ""},
      {"rows4/image/gathered", 39999, ""}};
  for (const auto& [name, most, reason] : ranges) {
    DeviceModel device = wideDevice();
    device.maxStorageBufferRange = most;
    EXPECT_EQ(refused(graph, name, device), reason);
  }
}

// By hand: eaw's tap is a colour of 8 bytes in half; the guided filter's has four floats of geometry beside
// it.
TEST(ScheduleChoice, SharedBytesByHand) {
  const NodeGraph eaw = graphOf(eawText(5), scheduleNamesExtent);
  const NodeGraph guided = graphOf(guidedText(5), scheduleNamesExtent);
  const auto bytes = [](const NodeGraph& graph, const std::string& end, const std::string& name,
                        bool synthesis) {
    return sharedBytes(graph, nodeNamed(graph, end), named(name, synthesis));
  };
  EXPECT_EQ(bytes(eaw, ":atrous", "tiled/image", true), 8U * 20 * 12);
  EXPECT_EQ(bytes(eaw, ":atrous", "tiled@32x8/image", true), 8U * 36 * 12);
  EXPECT_EQ(bytes(eaw, ":atrous", "lattice/image", true), 8U * 32 * 20 + 4 * (32 + 20));
  EXPECT_EQ(bytes(graphOf(eawText(2), scheduleNamesExtent), ":atrous", "lattice/image", true),
            8U * 24 * 20 + 4 * (24 + 20));
  EXPECT_EQ(bytes(guided, ":levels", "tiled/buffer", false), 24U * 20 * 12);
  EXPECT_EQ(bytes(guided, ":variance", "lattice/buffer", false), 24U * 22 * 22 + 4 * (22 + 22));
  // Two fused levels keep the second one's taps between them, 4 pixels a side; three keep 8 and 12.
  EXPECT_EQ(bytes(eaw, ":atrous", "fused2@32x8/image", true), 8U * 40 * 40);
  EXPECT_EQ(bytes(guided, ":levels", "fused2@16x4/image", false), 8U * 24 * 24);
  EXPECT_EQ(bytes(eaw, ":atrous", "fused3@8x4/image", true), 8U * (32 * 40 + 24 * 32));
  EXPECT_EQ(bytes(guided, ":variance", "fused3/buffer", false), 0U);  // one level
  for (const char* none : {"baseline", "rows6", "permuted"})
    EXPECT_EQ(bytes(eaw, ":atrous", none, true), 0U);
}

TEST(ScheduleChoice, AutoFitsAndTellsWhatDoesNot) {
  const NodeGraph graph = graphOf(eawText(5), {640, 480});  // dispatches weigh little
  DeviceModel device = wideDevice();
  EXPECT_TRUE(chosenName(graph, "auto", device).starts_with("rows"));
  device.maxSharedMemory = 1000;
  device.maxStorageBufferRange = 1000;
  Diagnostics diagnostics;
  const Selection chosen = choose(graph, {}, diagnostics, device);
  EXPECT_TRUE(chosen.schedule->wantsImages());
  const auto rejected = [](const ScheduleCandidate& candidate) { return !candidate.rejected.empty(); };
  const auto& all = chosen.choice.candidates;
  EXPECT_EQ(std::count_if(all.begin(), all.end(), rejected), 28 + 8);  // on buffers; shared tiles on images
  EXPECT_TRUE(std::is_partitioned(all.begin(), all.end(), [&](const auto& c) { return !rejected(c); }));
  device.maxImageSize = 50;
  choose(graph, {}, diagnostics, device);
  EXPECT_NE(diagnostics.render().find("the device can't run eaw:01:atrous under any schedule"),
            std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
