// A mosaic's pattern from node to node.
#include <gtest/gtest.h>

#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

ValueType mosaicOf(const std::string& pattern, Extent extent = {64, 48}) {
  return {Channels::mosaic, Format::u16, ColourTag::data, extent, 0, {}, patternFromName(pattern).value()};
}

// source -> module -> sink; the type of the module's result.
ValueType typeMade(const ModuleDescription& module, const ValueType& type, const std::string& expected = {},
                   const std::map<std::string, int64_t>& parameters = {}) {
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  const ModuleId middle = maker.add(module);
  const ModuleId sink = maker.add(sinkModule());
  maker.connect(source, "output", middle);
  maker.connect(middle, "output", sink);
  for (const auto& [name, value] : parameters)
    maker.set(middle, name, value);
  const NodeGraph graph = build(maker, {{"output", type}}, expected);
  return graph.values[find(graph, module.name + ":01:main")->outputs[0].value].type;
}

TEST(StageMosaics, FiltersThatDoNotKnowThemRefuse) {
  for (const Channels channels : {Channels::y, Channels::any1, Channels::depth, Channels::rgba}) {
    ModuleDescription module = filterModule();
    module.connectors[0].channels = {channels};
    typeMade(module, mosaicOf("rggb"),
             "line 100: filter:01:input takes " + std::string(name(channels)) +
                 ", but source:01:output is mosaic (a raw photograph is developed first, as in "
                 "pipelines/raw.cfg)\n");
  }
  ModuleDescription knows = filterModule();
  knows.connectors[0].channels = {Channels::y, Channels::mosaic};
  EXPECT_EQ(print(typeMade(knows, mosaicOf("gbrg"))), "mosaic u16 data gbrg 64x48");
  typeMade(filterModule(), mosaicOf("x-trans"));
}

TEST(StageMosaics, OutputsHaveThePatternThatTheyAreLikeOrSay) {
  ModuleDescription module = filterModule();
  EXPECT_EQ(typeMade(module, mosaicOf("x-trans")).pattern, *patternFromName("x-trans"));
  module.nodes[0].outputs[0].channels = Channels::mosaic;
  module.nodes[0].outputs[0].format = OrParameter<Format>{Format::f16, {}};
  EXPECT_EQ(print(typeMade(module, mosaicOf("grbg"))), "mosaic f16 data grbg 64x48");
  const ValueType grey{Channels::y, Format::f16, ColourTag::data, {64, 48}};
  EXPECT_EQ(print(typeMade(module, grey)), "mosaic f16 data none 64x48");
  module.nodes[0].outputs[0].pattern = OrParameter<MosaicPattern>{*patternFromName("bggr")};
  EXPECT_EQ(print(typeMade(module, grey)), "mosaic f16 data bggr 64x48");
  module.nodes[0].outputs[0].pattern = OrParameter<MosaicPattern>{{}, "pattern"};
  module.parameters = {structural("pattern", ParameterType::choice, std::string("gbrg"))};
  EXPECT_EQ(print(typeMade(module, grey)), "mosaic f16 data gbrg 64x48");
  module.nodes[0].outputs[0] = output("output", "output");
  module.nodes[0].outputs[0].channels = Channels::rgba;
  EXPECT_EQ(typeMade(module, mosaicOf("grbg")).pattern, MosaicPattern{});
}

TEST(StageMosaics, WindowsMoveThePattern) {
  ModuleDescription module = filterModule();
  module.nodes[0].kind = NodeKind::kernel;
  module.parameters = {structural("x", ParameterType::integer, int64_t{0}),
                       structural("y", ParameterType::integer, int64_t{0})};
  OutputExtent extent;
  extent.window = true;
  extent.x = "x";
  extent.y = "y";
  module.nodes[0].outputs[0].extent = extent;
  for (const char* pattern : {"rggb", "grbg", "gbrg", "bggr", "x-trans", "none"}) {
    for (const uint32_t x : {0U, 1U, 2U, 7U, 13U}) {
      for (const uint32_t y : {0U, 1U, 5U, 6U}) {
        const ValueType from = mosaicOf(pattern);
        const ValueType to = typeMade(module, from, {}, {{"x", x}, {"y", y}});
        ASSERT_EQ(to.extent, (Extent{64 - x, 48 - y}));
        for (uint32_t i = 0; i < 144; ++i)
          ASSERT_EQ(letterAt(to.pattern, {i % 12, i / 12}), letterAt(from.pattern, {i % 12 + x, i / 12 + y}));
      }
    }
  }
}

TEST(StageMosaics, StatesOfOtherChannelsHaveNone) {
  Node stencil;
  NodeDescription description;
  stencil.description = &description;
  EXPECT_EQ(stateTypeOf(stencil, mosaicOf("rggb")), mosaicOf("rggb"));
  description.stencil.state.channels = Channels::rgba;
  EXPECT_EQ(stateTypeOf(stencil, mosaicOf("rggb")).pattern, MosaicPattern{});
}

TEST(MosaicPattern, NamesReadBack) {
  for (const char* name : {"rggb", "grbg", "gbrg", "bggr", "none", "rrgb"})
    EXPECT_EQ(lacuna::name(patternFromName(name).value()), name);
  const std::string xTrans = "ggrggbggbggrbrgrbgggbggrggrggbrbgbrg";
  EXPECT_EQ(lacuna::name(*patternFromName("x-trans")), xTrans);
  EXPECT_EQ(patternFromName(xTrans), patternFromName("x-trans"));
  for (const char* wrong : {"", "rgb", "rgg-", "RGGB", "rgcy", "rggbrggb"})
    EXPECT_EQ(patternFromName(wrong), std::nullopt) << wrong;
}

TEST(MosaicPattern, OnlyLettersEverywhereOrNowhere) {
  EXPECT_TRUE(isPattern(MosaicPattern{}));
  for (const char* name : {"rggb", "x-trans"})
    EXPECT_TRUE(isPattern(*patternFromName(name)));
  EXPECT_FALSE(isPattern(MosaicPattern{{1, 0, 0}}));
  MosaicPattern beside = *patternFromName("rggb");
  beside.words[1] |= 1U << 24U;
  EXPECT_FALSE(isPattern(beside));
  EXPECT_TRUE(isBayer(*patternFromName("grbg")));
  EXPECT_FALSE(isBayer(*patternFromName("x-trans")));
  EXPECT_FALSE(isBayer({}));
}

}  // namespace
}  // namespace lacuna
