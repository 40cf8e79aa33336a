// Planes in the node graph: their number, their extent, and what they can't be connected to.

#include <gtest/gtest.h>

#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

const ValueType seven{Channels::y, Format::f32, ColourTag::data, {17, 9}, 7 * 17 * 9};
const ValueType list{Channels::y, Format::f32, ColourTag::data, {}, 7 * 17 * 9};

// A module from planes `input` to planes `output`, and to an image.
ModuleDescription planesModule(const Formula& planes) {
  ModuleDescription module = filterModule();
  for (ConnectorDescription& each : module.connectors) {
    each.arrayCount = anyCount;
    each.planes = true;
  }
  module.connectors.push_back(connector("image", Direction::output));
  ParameterDescription bins = structural("bins", ParameterType::integer, int64_t{20});
  module.parameters = {bins};
  NodeDescription& main = module.nodes[0];
  main.kind = NodeKind::kernel;
  main.footprint.kind = FootprintKind::global;
  main.outputs[0].arrayCount = anyCount;
  main.outputs[0].planes = planes;
  main.outputs.push_back(output("image", "image"));
  return module;
}

ModuleDescription planesSink() {
  ModuleDescription module = sinkModule();
  module.connectors[0].arrayCount = anyCount;
  return module;
}

// A kernel's result for its inputs: the text of its node, or the error.
std::string made(const ModuleDescription& module, const ValueType& given, bool readsImage = true) {
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output"}));
  maker.graph.modules.front().description = std::make_shared<ModuleDescription>([&] {
    ModuleDescription any = sourceModule({"output"});
    any.connectors[0].arrayCount = given.isArray() ? anyCount : 0;
    return any;
  }());
  const ModuleId filter = maker.add(module);
  maker.connect(source, "output", filter);
  maker.connect(filter, "output", maker.add(planesSink(), "planes"));
  if (readsImage)
    maker.connect(filter, "image", maker.add(sinkModule(), "image"));
  Diagnostics diagnostics;
  const NodeGraph graph = buildNodeGraph(sourcesOf(maker.graph, {{"output", given}}), diagnostics);
  if (diagnostics.hasErrors())
    return errorText(diagnostics);
  const std::string text = print(graph), start = "filter:01:main kernel, input <- source:01:file.output, ";
  const size_t from = text.find(start) + start.size();
  return text.substr(from, text.find('\n', from) - from);
}

TEST(PlanesOfKernels, HaveANumberAndAnExtent) {
  EXPECT_EQ(made(planesModule({}), seven), "output: 7 planes y f32 data 17x9, image: y f32 data 17x9");
  EXPECT_EQ(made(planesModule(3), seven), "output: 3 planes y f32 data 17x9, image: y f32 data 17x9");
  EXPECT_EQ(made(planesModule("3 * bins + 1"), seven),
            "output: 61 planes y f32 data 17x9, image: y f32 data 17x9");
  EXPECT_EQ(made(planesModule("bins"), seven), "output: 20 planes y f32 data 17x9, image: y f32 data 17x9");
  ModuleDescription half = planesModule("input_planes - 1 + image_width");
  half.nodes[0].outputs[0].extent = OutputExtent{};
  half.nodes[0].outputs[0].extent->width = "(image_width + 1) / 2";
  half.nodes[0].outputs[0].extent->height = "(image_height + 1) / 2";
  half.nodes[0].outputs[0].format = OrParameter<Format>{Format::u32, {}};
  EXPECT_EQ(made(half, seven), "output: 23 planes y u32 data 9x5, image: y f32 data 17x9");
}

TEST(PlanesOfKernels, AreToldWhereThereAreNoneOrTooMany) {
  EXPECT_EQ(made(planesModule("input_planes - 7"), seven), "line 11: filter:01: 'output' has no planes\n");
  const ValueType large{Channels::y, Format::f32, ColourTag::data, {20000, 20000}, 400'000'000};
  EXPECT_EQ(
      made(planesModule("bins"), large),
      "line 11: filter:01: 'output' would have 20 planes of 20000x20000, 8000000000 numbers (an array has at "
      "most 2147483647: 5 planes of that size)\n");
}

TEST(PlanesOfKernels, MayBeTooManyWhereNothingReadsThem) {
  GraphMaker maker;
  const ModuleId source = maker.add(planesModule("bins"));
  maker.graph.modules.front().description = std::make_shared<ModuleDescription>([] {
    ModuleDescription any = sourceModule({"output"});
    any.connectors[0].arrayCount = anyCount;
    return any;
  }());
  const ModuleId filter = maker.add(planesModule("bins"));
  maker.connect(source, "output", filter);
  maker.connect(filter, "image", maker.add(sinkModule()));
  Diagnostics diagnostics;
  const ValueType large{Channels::y, Format::f32, ColourTag::data, {20000, 20000}, 400'000'000};
  buildNodeGraph(sourcesOf(maker.graph, {{"output", large}}), diagnostics);
  EXPECT_EQ(errorText(diagnostics), "");
}

TEST(PlanesOfKernels, AreDemandedByConnectors) {
  EXPECT_EQ(made(planesModule({}), list),
            "line 11: filter:01:main: 'output' has no image whose size it could have (write extent = { width "
            "= ..., "
            "height = ... } at the node's output)\n"
            "line 100: filter:01:input takes planes, but source:01:output is an array of 1071\n");
  EXPECT_EQ(made(filterModule(), seven, false),
            "line 100: filter:01:input takes an image, but source:01:output is 7 planes\n");
}

// Planes are plain arrays if the connector doesn't declare planes.
TEST(PlanesOfKernels, ArePlainArraysElsewhere) {
  ModuleDescription module = planesModule(3);
  module.connectors[0].planes = false;
  module.connectors[2].arrayCount = 1;
  module.nodes[0].outputs[1].arrayCount = 1;
  module.nodes[0].outputs[0] = output("output", "output");
  module.nodes[0].outputs[0].arrayCount = anyCount;
  module.connectors[1].planes = false;
  EXPECT_EQ(made(module, seven, false), "output: array of 1071 y f32, image: array of 1 y f32");
}

}  // namespace
}  // namespace lacuna
