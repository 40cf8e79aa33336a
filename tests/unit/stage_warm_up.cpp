// How many frames before one its results depend on, for modules in rows, side by side and in loops.

#include <gtest/gtest.h>

#include "graph/nodes/warm_up.h"
#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

// A filter that takes its own output of the last frame.
ModuleDescription keeper(const std::string& name, std::optional<WarmUpDescription> warmUp) {
  ModuleDescription module = filterModule();
  module.name = name;
  if (warmUp)
    module.warmUp = {*warmUp};
  module.connectors.push_back(connector("other", Direction::input));
  module.connectors.back().optional = true;
  module.nodes[0].inputs.push_back({"other", "other"});
  module.nodes[0].inputs.push_back({"back", "main.output", true});
  return module;
}

WarmUpDescription frames(int64_t count) {
  WarmUpDescription warmUp;
  warmUp.frames = count;
  return warmUp;
}

WarmUpDescription allFrames() {
  WarmUpDescription warmUp;
  warmUp.all = true;
  return warmUp;
}

ModuleDescription plain() {
  ModuleDescription module = filterModule();
  module.connectors.push_back(connector("other", Direction::input));
  module.connectors.back().optional = true;
  module.nodes[0].inputs.push_back({"other", "other"});
  return module;
}

WarmUp warmUpIn(const GraphMaker& maker, Channels channels = Channels::rgba) {
  Diagnostics diagnostics;
  const ValueType image{channels, Format::f16, ColourTag::rec709, {4, 3}, 0};
  const NodeGraph graph = buildNodeGraph(sourcesOf(maker.graph, {{"output", image}}), diagnostics);
  EXPECT_EQ(errorText(diagnostics), "");
  return warmUpOf(graph);
}

std::string warmUpText(const GraphMaker& maker) {
  return print(warmUpIn(maker));
}

struct Row {
  GraphMaker maker;
  std::vector<ModuleId> modules;

  explicit Row(const std::vector<ModuleDescription>& middle) {
    modules.push_back(maker.add(sourceModule({"output"})));
    for (const ModuleDescription& module : middle) {
      modules.push_back(maker.add(module, "0" + std::to_string(modules.size())));
      maker.connect(modules[modules.size() - 2], "output", modules.back());
    }
    modules.push_back(maker.add(sinkModule()));
    maker.connect(modules[modules.size() - 2], "output", modules.back());
  }
};

TEST(StageWarmUp, NothingIsNeededWithoutFeedback) {
  EXPECT_EQ(warmUpText(Row({plain(), plain()}).maker), "none");
}

TEST(StageWarmUp, MotionLeadsToTheFrameBeforeAlone) {
  EXPECT_FALSE(warmUpIn(Row({keeper("a", frames(2))}).maker).cutsAtGaps);
  EXPECT_TRUE(warmUpIn(Row({keeper("a", frames(2))}).maker, Channels::mv).cutsAtGaps);
  EXPECT_FALSE(warmUpIn(Row({plain()}).maker, Channels::mv).cutsAtGaps);
}

TEST(StageWarmUp, RowsAddUp) {
  EXPECT_EQ(warmUpText(Row({keeper("a", frames(12)), plain(), keeper("b", frames(30))}).maker),
            "42 frames (a:01 12, b:03 30)");
  EXPECT_EQ(warmUpText(Row({keeper("a", frames(1))}).maker), "1 frame (a:01 1)");
}

TEST(StageWarmUp, AnArrayThatIsKeptIsLastFramesValue) {
  ModuleDescription module = keeper("a", frames(7));
  module.nodes[0].kind = NodeKind::kernel;
  module.nodes[0].inputs.pop_back();
  EXPECT_EQ(warmUpText(Row({module}).maker), "none");
  module.nodes[0].outputs[0].kept = true;
  EXPECT_EQ(warmUpText(Row({module}).maker), "7 frames (a:01 7)");
}

TEST(StageWarmUp, OneThatSaysNothingOrAllNeedsAll) {
  EXPECT_EQ(warmUpText(Row({keeper("a", std::nullopt), keeper("b", frames(30))}).maker),
            "all frames before (a:01, b:02 30)");
  EXPECT_EQ(warmUpText(Row({keeper("a", frames(2)), keeper("b", allFrames())}).maker),
            "all frames before (a:01 2, b:02)");
}

TEST(StageWarmUp, SideBySideTheLargestCounts) {
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  const ModuleId a = maker.add(keeper("a", frames(12)));
  const ModuleId b = maker.add(keeper("b", frames(30)));
  const ModuleId join = maker.add(plain());
  const ModuleId sink = maker.add(sinkModule());
  maker.connect(source, "output", a);
  maker.connect(source, "output", b);
  maker.connect(a, "output", join);
  maker.connect(b, "output", join, "other");
  maker.connect(join, "output", sink);
  EXPECT_EQ(warmUpText(maker), "30 frames (a:01 12, b:01 30)");
}

TEST(StageWarmUp, WhatNoSinkNeedsDoesNotCount) {
  Row row({plain()});
  const ModuleId aside = row.maker.add(keeper("a", frames(12)));
  row.maker.connect(row.modules[0], "output", aside);
  EXPECT_EQ(warmUpText(row.maker), "none");
}

TEST(StageWarmUp, AFeedbackLineIsADelayOfAFrame) {
  Row row({keeper("a", frames(12)), plain()});
  row.maker.connect(row.modules[1], "output", row.modules[2], "other", true);
  EXPECT_EQ(warmUpText(row.maker), "13 frames (a:01 12, feedback: of a:01)");
}

TEST(StageWarmUp, ALoopOfFeedbackLinesNeedsAllUnlessTheGraphSaysOtherwise) {
  Row row({plain(), plain()});
  row.maker.connect(row.modules[2], "output", row.modules[1], "other", true);
  EXPECT_EQ(warmUpText(row.maker), "all frames before (feedback: of filter:02, a loop)");
  row.maker.graph.warmUp = WarmUpLine{40, {}};
  EXPECT_EQ(warmUpText(row.maker), "40 frames (as the graph says)");
  row.maker.graph.warmUp = WarmUpLine{0, {}};
  EXPECT_EQ(warmUpText(row.maker), "none");
}

TEST(StageWarmUp, AModulesLineToItselfIsALoop) {
  Row row({keeper("a", frames(12))});
  row.maker.connect(row.modules[1], "output", row.modules[1], "other", true);
  EXPECT_EQ(warmUpText(row.maker), "all frames before (a:01 12, feedback: of a:01, a loop)");
}

// 0.8^123 is above 1e-12, 0.8^124 below; the least keyframe counts.
TEST(StageWarmUp, SharesAndConditionsAddUp) {
  WarmUpDescription history{false, 0, "window", 24, "all"}, blend, aside;
  blend.share = "blend";
  blend.when = "fades";
  aside.frames = 1000;
  aside.when = "!fades";
  ModuleDescription module = keeper("a", history);
  module.warmUp = {history, blend, aside};
  module.parameters = {structural("window", ParameterType::integer, int64_t{2}),
                       structural("blend", ParameterType::floating, 0.2),
                       structural("fades", ParameterType::boolean, true)};
  Row row({module});
  EXPECT_EQ(warmUpText(row.maker), "172 frames (a:01 172)");
  auto& parameters = row.maker.graph.modules[ModuleId(1)].parameters;
  parameters[1].keyframes = {{0, {1.0}, false}, {5, {0.5}, false}};
  EXPECT_EQ(warmUpText(row.maker), "88 frames (a:01 88)");
  parameters[2].values = {false};
  EXPECT_EQ(warmUpText(row.maker), "1048 frames (a:01 1048)");
}

TEST(StageWarmUp, ParametersCountByTheirLargestKeyframe) {
  ModuleDescription module = keeper("a", WarmUpDescription{false, 0, "window", 16, "all"});
  module.parameters = {structural("window", ParameterType::integer, int64_t{4})};
  Row row({module});
  EXPECT_EQ(warmUpText(row.maker), "64 frames (a:01 64)");
  Parameter& window = row.maker.graph.modules[ModuleId(1)].parameters[0];
  window.keyframes = {{0, {int64_t{2}}, false}, {5, {int64_t{9}}, false}, {9, {int64_t{1}}, false}};
  EXPECT_EQ(warmUpText(row.maker), "144 frames (a:01 144)");
  window.keyframes[2].values = {int64_t{0}};
  EXPECT_EQ(warmUpText(row.maker), "all frames before (a:01)");
  window.keyframes[1].values = {int64_t{16777216}};
  window.keyframes[2].values = {int64_t{1}};
  EXPECT_EQ(warmUpText(row.maker), "268435456 frames (a:01 268435456)");
}

TEST(StageWarmUp, NeverBeginsBeforeTheFirstFrame) {
  const WarmUp some{12, "x"}, every{std::nullopt, "x"};
  EXPECT_EQ(some.from(20), 8);
  EXPECT_EQ(some.from(5), 0);
  EXPECT_EQ(every.from(20), 0);
  EXPECT_EQ(WarmUp().from(20), 20);
}

}  // namespace
}  // namespace lacuna
