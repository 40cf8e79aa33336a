// Descriptions of sizes, previous frames and arrays, and the resulting node graph.

#include <gtest/gtest.h>

#include "graph/nodes/output_extent.h"
#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

const ValueType picture{Channels::rgba, Format::f16, ColourTag::rec709, {640, 427}, 0};

// A module with the parameters x, y, width, height and factor; those in `set` are in line 50.
class Extents : public testing::Test {
 protected:
  using Given = std::map<std::string, ParameterValue>;

  static OutputExtent window() {
    OutputExtent extent;
    extent.window = true;
    extent.x = "x";
    extent.y = "y";
    extent.width = "width";
    extent.height = "height";
    return extent;
  }
  static OutputExtent size() {
    OutputExtent extent = window();
    extent.window = false;
    extent.factor.parameter = "factor";
    return extent;
  }

  static std::string text(const OutputExtent& extent, const Given& given) {
    ModuleDescription module = filterModule();
    for (const char* name : {"x", "y", "width", "height"})
      module.parameters.push_back(structural(name, ParameterType::integer, int64_t{0}));
    module.parameters.push_back(structural("factor", ParameterType::floating, 1.0));
    GraphMaker maker;
    const ModuleId owner = maker.add(module);
    for (const auto& [name, value] : given) {
      maker.set(owner, name, value);
      for (Parameter& each : maker.graph.modules[owner].parameters)
        if (each.description->name == name)
          each.where.line = 50;
    }
    Diagnostics diagnostics;
    const auto found = outputExtent(maker.graph.modules[owner], extent, picture, diagnostics);
    EXPECT_EQ(found.has_value(), !diagnostics.hasErrors());
    return found ? std::to_string(found->width) + "x" + std::to_string(found->height)
                 : errorText(diagnostics);
  }
};

TEST_F(Extents, Windows) {
  EXPECT_EQ(text(window(), {}), "640x427");
  EXPECT_EQ(text(window(), {{"x", int64_t{639}}, {"y", int64_t{426}}}), "1x1");
  EXPECT_EQ(text(window(), {{"x", int64_t{40}}, {"width", int64_t{600}}, {"height", int64_t{1}}}), "600x1");
  EXPECT_EQ(text(window(), {{"x", int64_t{640}}}),
            "line 50: filter:01: 'x' is 640, but the image is 640x427 (here 'x' is from 0 to 639)\n");
  EXPECT_EQ(text(window(), {{"y", int64_t{400}}, {"height", int64_t{28}}}),
            "line 50: filter:01: 'height' is 28, but the image is 640x427 and has 27 rows from 'y' = 400 on "
            "(here 'height' is from 1 to 27, or 0 for all of them)\n");
  OutputExtent fixed = window();
  fixed.width = 700;
  EXPECT_EQ(
      text(fixed, {{"y", int64_t{500}}}),
      "line 10: filter:01: 'width' is 700, but the image is 640x427 and has 640 columns from 'x' = 0 on "
      "(here 'width' is from 1 to 640, or 0 for all of them)\n"
      "line 50: filter:01: 'y' is 500, but the image is 640x427 (here 'y' is from 0 to 426)\n");
}

TEST_F(Extents, Arithmetic) {
  OutputExtent grid;
  grid.width = "(image_width + x - 1) / x + 2";
  grid.height = "image_height * image_channels";
  EXPECT_EQ(text(grid, {{"x", int64_t{8}}}), "82x1281");
  EXPECT_EQ(text(grid, {{"x", int64_t{7}}}), "94x1281");
  grid.width = "image_width";
  grid.height = "image_height * y";
  EXPECT_EQ(text(grid, {{"y", int64_t{2}}}), "640x854");
  EXPECT_EQ(text(grid, {{"y", int64_t{500}}}),
            "line 10: filter:01 would make an image of 640x213500 from one of 640x427 (a side has at most "
            "65535 pixels)\n");
  OutputExtent sides = window();
  sides.width = "image_width / 2";
  sides.height = "image_height - y";
  EXPECT_EQ(text(sides, {{"y", int64_t{27}}}), "320x400");
}

// Without an image its size is unknown; arithmetic of only parameters is known.
TEST_F(Extents, ArithmeticWithoutAnImage) {
  ModuleDescription module = filterModule();
  module.parameters.push_back(structural("x", ParameterType::integer, int64_t{20}));
  GraphMaker maker;
  maker.add(module);
  OutputExtent extent;
  extent.width = "x * 3";
  extent.height = "max(x, 50)";
  EXPECT_EQ(fixedExtent(maker.graph.modules.front(), extent), (Extent{60, 50}));
  extent.height = "image_height + x";
  EXPECT_EQ(fixedExtent(maker.graph.modules.front(), extent), std::nullopt);
  Diagnostics diagnostics;
  reportNoExtent(maker.graph.modules.front(), extent, "output", diagnostics);
  EXPECT_EQ(
      errorText(diagnostics),
      "line 10: filter:01: there is no image that the extent of 'output' is relative to (without one an "
      "extent has a width and a height, and nothing else)\n");
}

TEST_F(Extents, Sizes) {
  EXPECT_EQ(text(size(), {}), "640x427");
  EXPECT_EQ(text(size(), {{"width", int64_t{320}}}), "320x214");  // 213.5
  EXPECT_EQ(text(size(), {{"height", int64_t{100}}}), "150x100");
  EXPECT_EQ(text(size(), {{"width", int64_t{1}}}), "1x1");
  EXPECT_EQ(text(size(), {{"width", int64_t{7}}, {"height", int64_t{9}}}), "7x9");
  EXPECT_EQ(text(size(), {{"factor", 0.25}}), "160x107");
  EXPECT_EQ(text(size(), {{"factor", 0.0001}}), "1x1");
  EXPECT_EQ(text(size(), {{"factor", 200.0}}),
            "line 50: filter:01 would make an image of 128000x85400 from one of 640x427 (a side has at most "
            "65535 pixels)\n");
  EXPECT_EQ(
      text(size(), {{"factor", 0.5}, {"width", int64_t{10}}}),
      "line 50: filter:01: 'factor' is 0.5, but a size is given as well (a factor or a size, not both)\n");
}

TEST_F(Extents, OneSideOfAnotherImage) {
  ModuleDescription module = filterModule();
  module.parameters = {structural("width", ParameterType::integer, int64_t{0}),
                       structural("height", ParameterType::integer, int64_t{61})};
  OutputExtent extent;
  extent.width = "width";
  extent.height = "height";
  NodeDescription down =
      node("down", NodeKind::kernel, {{"input", "across.output"}}, {output("output", "output")});
  down.footprint = {FootprintKind::global, 0};
  down.outputs[0].extent = extent;
  down.outputs[0].extent->of = "input";
  NodeDescription across = node("across", NodeKind::kernel, {{"input", "input"}}, {output("output")});
  across.footprint = down.footprint;
  across.outputs[0].extent = extent;
  across.outputs[0].extent->only = "width";
  module.nodes = {across, down};
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  const ModuleId resize = maker.add(module);
  maker.connect(source, "output", resize);
  maker.connect(resize, "output", maker.add(sinkModule()));
  const NodeGraph graph = build(maker, {{"output", picture}});
  EXPECT_EQ(print(graph.values[ValueId(1)].type), "rgba f16 rec709 91x427");
  EXPECT_EQ(print(graph.values[ValueId(2)].type), "rgba f16 rec709 91x61");
}

// `first` reads the previous frame's result of the later `second`; a parameter leaves `third` out.
ModuleDescription laterHistoryModule() {
  ModuleDescription module = filterModule();
  module.parameters = {structural("extra", ParameterType::boolean, false)};
  NodeDescription first =
      node("first", NodeKind::pointwise,
           {{"history", "second.output", true}, {"none", "third.output", true}, {"input", "input"}},
           {output("output", "output")});
  NodeDescription second =
      node("second", NodeKind::pointwise, {{"input", "first.output"}}, {output("output")});
  second.outputs[0].format = OrParameter<Format>{Format::f32, {}};
  NodeDescription third = node("third", NodeKind::pointwise, {{"input", "input"}}, {output("output")});
  third.when = "extra";
  module.nodes = {first, second, third};
  return module;
}

TEST(LastFrame, ComesFromAnyNodeOfTheModule) {
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  const ModuleId filter = maker.add(laterHistoryModule());
  maker.connect(source, "output", filter);
  maker.connect(filter, "output", maker.add(sinkModule()));
  EXPECT_EQ(
      print(build(maker, {{"output", picture}})),
      "source:01:file source, output: rgba f16 rec709 640x427\n"
      "filter:01:first pointwise, history <- filter:01:second.output of the previous frame, none <- nothing, "
      "input <- source:01:file.output, output: rgba f16 rec709 640x427\n"
      "filter:01:second pointwise, input <- filter:01:first.output, output: rgba f32 rec709 640x427\n"
      "sink:01:file sink, pixels <- filter:01:first.output\n"
      "filter:01:second.output of the previous frame = filter:01:second.output of the previous frame: rgba "
      "f32 "
      "rec709 640x427\n");
  maker.set(filter, "extra", true);
  const NodeGraph graph = build(maker, {{"output", picture}});
  EXPECT_NE(find(graph, "filter:01:third"), nullptr);
  EXPECT_EQ(
      std::count_if(graph.values.begin(), graph.values.end(), [](const Value& v) { return v.feedback; }), 2);
}

TEST(Arrays, AnyNumberIsTheProducers) {
  ModuleDescription module = filterModule();
  module.connectors[0].arrayCount = anyCount;
  module.connectors[1].arrayCount = anyCount;
  module.nodes[0].kind = NodeKind::kernel;
  module.nodes[0].outputs[0].arrayCount = anyCount;
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  const ModuleId filter = maker.add(module);
  ModuleDescription sink = sinkModule();
  sink.connectors[0].arrayCount = 77;
  maker.connect(source, "output", filter);
  maker.connect(filter, "output", maker.add(sink));
  const ValueType array{Channels::y, Format::f32, ColourTag::data, {}, 77};
  EXPECT_EQ(build(maker, {{"output", array}}).values[ValueId(1)].type.arrayCount, 77U);
  build(maker, {{"output", ValueType{Channels::y, Format::f32, ColourTag::data, {}, 78}}},
        "line 101: sink:01:input takes an array of 77, but filter:01:output is an array of 78\n");
  build(maker, {{"output", picture}},
        "line 100: filter:01:input takes an array, but source:01:output is an image\n");
}

TEST(StencilState, NeedsInitWhereItsInputIsOfAnotherShape) {
  ModuleDescription module = filterModule();
  module.nodes[0] = node("chain", NodeKind::stencil, {{"state", "input"}}, {output("output", "output")});
  module.nodes[0].stencil.state.channels = Channels::y;
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  const ModuleId filter = maker.add(module);
  maker.connect(source, "output", filter);
  maker.connect(filter, "output", maker.add(sinkModule()));
  build(maker, {{"output", picture}},
        "line 11: filter:01:chain filters y f16, but its input is rgba f16 (a stencil with init = true turns "
        "its "
        "inputs into its state)\n");
}

}  // namespace
}  // namespace lacuna
