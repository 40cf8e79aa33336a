// Resources that are too large for a device are stored differently, scheduled differently, or refused by
// name; they never run.

#include "graph/frame/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/schedule/stencil/schedule_names.h"
#include "tests/unit/layout_support.h"

namespace lacuna::test {
namespace {

constexpr Extent limitsExtent{60, 44};
constexpr uint64_t halfBytes = uint64_t{8} * 60 * 44;  // rgba in half

std::string chainOf(const std::string& module, const std::string& more = {}) {
  return fmt::format("i-memory:in {0} o-memory:out\n{1}", module, more);
}

NodeGraph testGraph(const std::string& text, Extent size = limitsExtent, Format format = Format::f16) {
  return graphOf(
      text, size, format,
      {LACUNA_MODULE_FOLDER, LACUNA_TEST_FOLDER "/gpu/modules", LACUNA_TEST_FOLDER "/unit/modules"});
}

std::string errorsOf(const NodeGraph& graph, const DeviceModel& device,
                     const std::string& schedule = "auto") {
  Diagnostics diagnostics;
  compile(graph, {device, {{"", schedule}}}, diagnostics);
  return diagnostics.render();
}

void expectWords(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

TEST(Limits, ValuesThatNeitherBufferNorImageHolds) {
  for (const char* module : {"exposure", "join"}) {
    SCOPED_TRACE(module);
    const std::string more = module == std::string("join") ? "i-memory:in other=join\n" : std::string();
    const NodeGraph graph = testGraph(chainOf(module, more));
    DeviceModel device = wideDevice();
    device.maxStorageBufferRange = halfBytes - 1;
    EXPECT_EQ(errorsOf(graph, device), "");  // images
    device.maxImageSize = 59;
    expectWords(errorsOf(graph, device),
                {"i-memory:in:", "is 60x44 pixels, but the device allows 59 along a side",
                 fmt::format("the device can't run {}:01", module)});
    device = wideDevice();
    device.maxAllocation = halfBytes - 1;
    expectWords(errorsOf(graph, device),
                {"i-memory:in:", "has 20.6 KiB (21120 bytes), the device allocates at most"});
    device.maxAllocation = halfBytes;
    EXPECT_EQ(errorsOf(graph, device), "");
  }
}

TEST(Limits, StatesAndFeatures) {
  NodeGraph graph = testGraph(guidedText(3));
  for (Value& value : graph.values)
    if (value.name.ends_with(".geometry"))
      value.type.channels = Channels::any4;  // 16 bytes a pixel, more than a state has
  const Node* chain = nullptr;
  for (const Node& node : graph.nodes)
    chain = node.name == "atrous-guided:01:levels" ? &node : chain;
  ASSERT_NE(chain, nullptr);
  const uint64_t state = uint64_t{limitsExtent.width} * limitsExtent.height *
                         bytesPerPixel(*chain->description->stencil.state.channels, *chain->stateFormat);
  DeviceModel device = wideDevice();
  const auto rejected = [&](const std::string& name) {
    return rejection(graph, *chain, schedulesNamed(name, false).front(), device);
  };
  ASSERT_LT(state, 16U * 60 * 44);
  device.maxStorageBufferRange = 16U * 60 * 44 - 1;  // holds states, and no geometry
  EXPECT_EQ(rejected("rows4/buffer"), "");
  EXPECT_EQ(rejected("permuted/image"), "");
  EXPECT_EQ(rejected("permuted/buffer"),
            fmt::format("'geometry' takes {} bytes a level, storage buffers hold {}", 16 * 60 * 44,
                        16 * 60 * 44 - 1));
  EXPECT_EQ(errorsOf(graph, device, "rows4/buffer"), "");  // geometry is an image then
  device.maxStorageBufferRange = state - 1;
  expectWords(rejected("rows4/buffer"), {"a level takes"});
  device.maxAllocation = state - 1;
  expectWords(rejected("rows4/image"), {"images of this device hold"});
}

TEST(Limits, ManyBindings) {
  const NodeGraph graph = testGraph(eawText(8));
  DeviceModel device = wideDevice();
  device.maxBindings = {8, 7, 8};
  const FrameGraph schedule = compiled(graph, "auto", device);
  EXPECT_EQ(schedule.choices.at(0).schedule.find("gathered"), std::string::npos)
      << schedule.choices.at(0).schedule;
  expectWords(errorsOf(graph, device, "rows4/buffer/gathered"),
              {"up to 10 storage buffers a pass, the device binds 8"});
  // Eight states are read by one pass, each with its pair of images.
  EXPECT_TRUE(beyondLimits(schedule, device).empty());
  device.maxBindings = {2, 2, 1};
  expectWords(errorsOf(graph, device), {"the device can't run eaw:01:atrous under any schedule"});
}

// Elements of a binding count one by one.
TEST(Limits, ElementsOfABinding) {
  const FrameGraph schedule = compiled(testGraph(eawText(8)), "rows4/buffer/gathered", wideDevice());
  size_t most = 0;
  for (const Pass& pass : schedule.passes) {
    std::set<std::pair<uint32_t, uint32_t>> used;
    for (const Access& access : pass.accesses)
      if (access.point == AccessPoint::storageBuffer)
        used.emplace(access.binding, access.element);
    most = std::max(most, used.size());
  }
  ASSERT_GE(most, 8U);
  DeviceModel device = wideDevice();
  device.maxBindings[0] = static_cast<uint32_t>(most);
  EXPECT_TRUE(beyondLimits(schedule, device).empty());
  device.maxBindings[0] -= 1;
  ASSERT_EQ(beyondLimits(schedule, device).size(), 1U);
  EXPECT_EQ(beyondLimits(schedule, device)[0].what,
            fmt::format("binds {} storage buffers, the device allows {}", most, most - 1));
}

// Kernels have no schedules to choose from, so they have to bind what they declare.
bool onlyKernelsBindTooMuch(const std::string& errors) {
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);)
    if (line.find("the device allows") != std::string::npos &&
        line.find("eaw:01:known:") == std::string::npos)
      return false;
  return true;
}

// With the number of bindings that a schedule needs; with fewer it is refused.
void expectEnough(const NodeGraph& graph, const std::string& schedule) {
  DeviceModel device = wideDevice();
  device.maxBindings = {1, 1, 1};
  for (std::string errors = errorsOf(graph, device, schedule); errors.find("can't run") != std::string::npos;
       errors = errorsOf(graph, device, schedule)) {
    ASSERT_TRUE(onlyKernelsBindTooMuch(errors)) << schedule << "\n" << errors;
    for (uint32_t& most : device.maxBindings)
      ++most;
    ASSERT_LT(device.maxBindings[0], 20U);
  }
}

class LimitsOfLevels : public testing::TestWithParam<int> {};

const std::vector<int> numbersOfLevels = {1, 2, 5, 8};

// All passes that a forced schedule makes stay within the bindings that it was chosen for. Each schedule is
// tried with one number of levels, and the next one, which differs in a word, with another.
TEST_P(LimitsOfLevels, BindingsAreCountedAsTheyAreMade) {
  for (const bool synthesis : {true, false}) {
    const int levels = GetParam();
    const NodeGraph graph =
        testGraph(synthesis ? eawText(levels, "param:eaw:01:noise:0\n") : guidedText(std::min(levels, 6)));
    size_t next = 0;
    for (const StencilSchedule& wanted : allSchedules(synthesis)) {
      if (numbersOfLevels[next % numbersOfLevels.size()] == levels)
        expectEnough(graph, print(wanted));
      next += synthesis ? 1 : 3;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, LimitsOfLevels, testing::ValuesIn(numbersOfLevels));

TEST(Limits, ReductionsLieInRows) {
  const NodeGraph graph = histogramGraph({2000, 1400});
  DeviceModel device = wideDevice();
  const auto groupsOf = [&] { return passNamed(compiled(graph, "auto", device), "count.count")->groups; };
  const uint32_t count = (2000 * 1400 + 4095) / 4096;
  EXPECT_EQ(groupsOf(), (std::array<uint32_t, 3>{count, 1, 1}));
  device.maxWorkgroups = {256, 65535, 1};
  const auto groups = groupsOf();
  EXPECT_LE(groups[0], 256U);
  EXPECT_GE(groups[0] * groups[1], count);
  EXPECT_LT(groups[0] * groups[1], count + groups[1]);
}

TEST(Limits, Workgroups) {
  const NodeGraph graph = testGraph(chainOf("exposure"));
  DeviceModel device = wideDevice();
  device.maxWorkgroups = {65535, 5, 1};  // 44 rows, 8 a workgroup
  expectWords(errorsOf(graph, device), {"has 2x6x1 workgroups, the device allows 65535x5x1"});
}

// For the fused levels of a guided filter, not for those of wavelets, which have no features.
TEST(Limits, LoopsOverTapsWithFeatures) {
  DeviceModel device = wideDevice();
  device.smallLoops = true;
  for (const bool guided : {false, true}) {
    const NodeGraph graph = testGraph(guided ? guidedText(3) : eawText(3, "param:eaw:01:noise:0\n"));
    const auto chain = std::find_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
      return node.kind == NodeKind::stencil && node.levels == 3;
    });
    ASSERT_NE(chain, graph.nodes.end());
    const auto reason = [&](const char* name) {
      return rejection(graph, *chain, schedulesNamed(name, !guided).front(), device);
    };
    EXPECT_EQ(reason("rows4"), "");
    EXPECT_EQ(reason("fused2").empty(), !guided) << reason("fused2");
  }
}

TEST(Limits, BytesInTheLargestUnit) {
  EXPECT_EQ(humanBytes(1), "1 byte");
  EXPECT_EQ(humanBytes(1023), "1023 bytes");
  EXPECT_EQ(humanBytes(1024), "1.0 KiB");
  EXPECT_EQ(humanBytes(uint64_t{3} << 42U), "12288.0 GiB");
}

TEST(Limits, TheMemoryOption) {
  const NodeGraph graph = testGraph(eawText(3));
  Diagnostics diagnostics;
  const FrameGraph schedule = compile(graph, {wideDevice(), {}}, diagnostics);
  reportMemory(schedule, schedule.arenaBytes - 1, "a filter needs all of it", diagnostics);
  const std::string amount = humanBytes(schedule.arenaBytes);
  expectWords(diagnostics.render(), {fmt::format("the graph takes {0} of the device's memory, but may take "
                                                 "{0}; it can't run in tiles: a filter needs all of it",
                                                 amount),
                                     "pass eaw:01:atrous.level"});
}

}  // namespace
}  // namespace lacuna::test
