// How far results reach, for modules in rows and side by side.

#include <gtest/gtest.h>

#include "graph/nodes/reach.h"
#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

constexpr Footprint localFootprint{FootprintKind::local, 0};
constexpr Footprint globalFootprint{FootprintKind::global, 0};
Footprint haloOf(float pixels) {
  return {FootprintKind::halo, pixels};
}

// A kernel with a second input that may be unconnected.
ModuleDescription kernelOf(Footprint footprint) {
  ModuleDescription module = filterModule();
  module.connectors.push_back(connector("other", Direction::input));
  module.connectors.back().optional = true;
  module.nodes[0].kind = NodeKind::kernel;
  module.nodes[0].footprint = footprint;
  module.nodes[0].inputs.push_back({"other", "other"});
  return module;
}

ModuleDescription levelsOf(int64_t levels, bool dilated) {
  ModuleDescription module = filterModule();
  NodeDescription& node = module.nodes[0];
  node.kind = NodeKind::stencil;
  node.inputs = {{"state", "input"}};
  node.stencil.radius.value = 2;
  node.stencil.levels.value = levels;
  node.stencil.dilated = dilated;
  node.stencil.state.channels = Channels::rgba;
  return module;
}

struct ReachChain {
  GraphMaker maker;
  std::vector<ModuleId> modules;

  explicit ReachChain(const std::vector<ModuleDescription>& middle) {
    modules.push_back(maker.add(sourceModule({"output"})));
    for (const ModuleDescription& module : middle) {
      modules.push_back(maker.add(module, "0" + std::to_string(modules.size())));
      maker.connect(modules[modules.size() - 2], "output", modules.back());
    }
    modules.push_back(maker.add(sinkModule()));
    maker.connect(modules[modules.size() - 2], "output", modules.back());
  }

  Reach reach() const {
    Diagnostics diagnostics;
    const ValueType image{Channels::rgba, Format::f16, ColourTag::rec709, {40, 30}, 0};
    const NodeGraph graph = buildNodeGraph(sourcesOf(maker.graph, {{"output", image}}), diagnostics);
    EXPECT_EQ(errorText(diagnostics), "");
    return reachOf(graph);
  }
};

TEST(StageReach, OfPointwiseNodesIsNone) {
  EXPECT_EQ(ReachChain({filterModule(), kernelOf(localFootprint)}).reach().pixels, 0.0);
  EXPECT_EQ(print(ReachChain({filterModule()}).reach()), "up to 0 away");
}

TEST(StageReach, AddsUpAlongAChain) {
  EXPECT_EQ(ReachChain({kernelOf(haloOf(3)), filterModule(), kernelOf(haloOf(14))}).reach().pixels, 17.0);
}

TEST(StageReach, OfPatchesIsTheirRadiusBesideTheWindows) {
  ModuleDescription module = levelsOf(3, false);
  module.nodes[0].stencil.patch.value = 4;
  EXPECT_EQ(ReachChain({module}).reach().pixels, 3.0 * (2 + 4));
}

TEST(StageReach, OfStencilsIsTheirRadiusOverAllLevels) {
  EXPECT_EQ(ReachChain({levelsOf(5, true)}).reach().pixels, 2.0 * 31);
  EXPECT_EQ(ReachChain({levelsOf(3, false)}).reach().pixels, 2.0 * 3);
  EXPECT_EQ(print(ReachChain({levelsOf(5, true), kernelOf(haloOf(1.5F))}).reach()), "up to 64 away");
}

// 2 behind a half-size image are 4 before it, and the pixel itself is 2 wide.
TEST(StageReach, IsInPixelsOfTheInput) {
  EXPECT_EQ(ReachChain({kernelOf({FootprintKind::scale, 0.5F}), kernelOf(haloOf(2))}).reach().pixels, 6.0);
}

TEST(StageReach, TakesTheLargestOfWhatIsSideBySide) {
  ReachChain chain({kernelOf(haloOf(3)), kernelOf(haloOf(9)), kernelOf(localFootprint)});
  chain.maker.connect(chain.modules[1], "output", chain.modules[3], "other");  // past the second one
  EXPECT_EQ(chain.reach().pixels, 12.0);
}

TEST(StageReach, OfGlobalNodesIsEverything) {
  const Reach reach = ReachChain({kernelOf(haloOf(3)), kernelOf(globalFootprint), filterModule()}).reach();
  EXPECT_FALSE(reach.pixels.has_value());
  EXPECT_EQ(print(reach), "all (filter:02:main)");
}

}  // namespace
}  // namespace lacuna
