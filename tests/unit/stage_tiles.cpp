// Where tiles may begin.

#include <gtest/gtest.h>

#include "graph/nodes/tiles.h"
#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

// The multiples at which tiles of a picture begin that goes through the module.
uint32_t multipleFor(const ModuleDescription& module) {
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  const ModuleId filter = maker.add(module);
  const ModuleId sink = maker.add(sinkModule());
  maker.connect(source, "output", filter);
  maker.connect(filter, "output", sink);
  const ValueType picture{Channels::rgba, Format::f16, ColourTag::rec709, {400, 300}, 0};
  std::string reason;
  const std::optional<Tileable> made = tileable(build(maker, {{"output", picture}}), reason);
  EXPECT_TRUE(made) << reason;
  return made ? made->multiple : 0;
}

NodeDescription kernel(std::string name, Footprint footprint, std::vector<NodeInput> inputs,
                       NodeOutput output) {
  NodeDescription made = node(std::move(name), NodeKind::kernel, std::move(inputs), {std::move(output)});
  made.footprint = footprint;
  return made;
}

constexpr FootprintKind halo = FootprintKind::halo;

TEST(StageTiles, BeginWhereEachFootprintAllows) {
  ModuleDescription module = filterModule();
  EXPECT_EQ(multipleFor(module), 1U);
  const NodeInput wide{"wide", "input", false, Footprint{halo, 2, 6}};
  module.nodes = {kernel("main", {halo, 1, 4}, {{"input", "input"}, wide}, output("output", "output"))};
  EXPECT_EQ(multipleFor(module), 12U) << "multiples of both 4 and 6";
}

TEST(StageTiles, BeginWhereBlocksDo) {
  ModuleDescription module = filterModule();
  const NodeDescription means =
      kernel("means", {FootprintKind::scale, 0.125F}, {{"input", "input"}}, output("blocks"));
  const auto withBlocks = [&](Footprint ofBlocks) {
    const NodeInput blocks{"blocks", "means.blocks", false, ofBlocks};
    module.nodes = {means, kernel("main", {FootprintKind::scale, 1.0F}, {{"input", "input"}, blocks},
                                  output("output", "output"))};
    return multipleFor(module);
  };
  EXPECT_EQ(withBlocks({halo, 3}), 8U);
  EXPECT_EQ(withBlocks({halo, 3, 2}), 16U) << "two blocks of 8";
  EXPECT_EQ(withBlocks({halo, 3, 3}), 24U);
}

}  // namespace
}  // namespace lacuna
