// Shapes of arrays in the node graph: stated, inherited, and wrong ones; inputs that take images and arrays.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/frame/limits.h"
#include "tests/unit/layout_support.h"
#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

ValueType shapedHalves(const std::vector<uint32_t>& sizes) {
  ValueType type{Channels::y, Format::f16, ColourTag::data, {}};
  setSizes(type, sizes);
  return type;
}

// A kernel from an array `input` to an array `output` in f16 of these sizes.
ModuleDescription shapeModule(const std::vector<Formula>& shape) {
  ModuleDescription module = filterModule();
  for (ConnectorDescription& each : module.connectors)
    each.arrayCount = anyCount;
  module.parameters = {structural("rows", ParameterType::integer, int64_t{20}),
                       structural("none", ParameterType::integer, int64_t{0})};
  NodeDescription& main = module.nodes[0];
  main.kind = NodeKind::kernel;
  main.shader = "main.glsl";
  main.footprint.kind = FootprintKind::global;
  main.outputs[0].arrayCount = anyCount;
  main.outputs[0].shape = shape;
  main.outputs[0].format = OrParameter<Format>{Format::f16, {}};
  return module;
}

struct ShapeGraph {
  GraphMaker maker;
  Diagnostics diagnostics;
  NodeGraph graph;

  ShapeGraph(const ModuleDescription& module, const ValueType& given) {
    ModuleDescription source = sourceModule({"output"});
    source.connectors[0].arrayCount = given.isArray() ? anyCount : 0;
    ModuleDescription sink = sinkModule();
    sink.connectors[0].arrayCount = anyCount;
    const ModuleId first = maker.add(source), filter = maker.add(module);
    maker.connect(first, "output", filter);
    maker.connect(filter, "output", maker.add(sink));
    graph = buildNodeGraph(sourcesOf(maker.graph, {{"output", given}}), diagnostics);
  }

  // The type of the kernel's output, or the error.
  std::string made() const {
    return diagnostics.hasErrors() ? errorText(diagnostics) : print(graph.values.back().type);
  }
};

std::string shapeMade(const std::vector<Formula>& shape, const std::vector<uint32_t>& given) {
  return ShapeGraph(shapeModule(shape), shapedHalves(given)).made();
}

TEST(ShapesOfKernels, AreNumbersParametersAndSizesOfInputs) {
  EXPECT_EQ(shapeMade({3, "rows"}, {7}), "array of (3, 20) y f16");
  EXPECT_EQ(shapeMade({"rows + 1"}, {7}), "array of 21 y f16");
  EXPECT_EQ(shapeMade({"shape_input.w", "shape_input.z"}, {7}), "array of (7, 1) y f16");
  EXPECT_EQ(shapeMade({"shape_input.y", "shape_input.w", "shape_input.z"}, {2, 3, 5}),
            "array of (2, 5, 3) y f16");
  EXPECT_EQ(shapeMade({"shape_input.x", 1, 1, "max(shape_input.w, rows) / 2"}, {4, 1, 1, 9}),
            "array of (4, 1, 1, 10) y f16");
}

TEST(ShapesOfKernels, AreTakenOverWithAnyNumber) {
  EXPECT_EQ(shapeMade({}, {7}), "array of 7 y f16");
  EXPECT_EQ(shapeMade({}, {2, 3, 5}), "array of (2, 3, 5) y f16");
}

TEST(ShapesOfKernels, AreToldWhereTheyAreEmptyOrTooLarge) {
  EXPECT_EQ(shapeMade({"rows", "none"}, {7}),
            "line 11: filter:01: 'output' would have the shape (20, 0) (every size must be at least 1)\n");
  EXPECT_EQ(shapeMade({"shape_other.w"}, {7}),
            "line 11: filter:01: 'output' would have the shape (0) (every size must be at least 1)\n");
  EXPECT_EQ(shapeMade({65536, "shape_input.w"}, {65536}),
            "line 11: filter:01: 'output' would have the shape (65536, 65536), 4294967296 elements (an array "
            "has at "
            "most 2147483647)\n");
}

// An invocation an element: a column of the last size and a row of all others; else all in a row.
TEST(ShapesOfKernels, AreWhatIsDispatched) {
  const auto groups = [](const std::vector<Formula>& shape) {
    ShapeGraph shaped(shapeModule(shape), shapedHalves({3, 33, 17}));
    EXPECT_EQ(errorText(shaped.diagnostics), "");
    return laidOut(shaped.graph, {}, shaped.diagnostics).passes[PassId(1)].groups;
  };
  EXPECT_EQ(groups({"shape_input.y", "shape_input.z", "shape_input.w"}), (std::array<uint32_t, 3>{2, 7, 1}));
  EXPECT_EQ(groups({}), (std::array<uint32_t, 3>{106, 1, 1}));
}

// The array that the kernel makes then has no effect.
TEST(ShapesOfKernels, InvocationsAreStatedBesideThem) {
  const auto groups = [](const std::vector<Formula>& invocations) {
    ModuleDescription module = shapeModule({5});
    module.nodes[0].kernel.invocations = invocations;
    ShapeGraph shaped(module, shapedHalves({3, 33, 17}));
    if (shaped.diagnostics.hasErrors())
      return errorText(shaped.diagnostics);
    const auto [x, y, z] = laidOut(shaped.graph, {}, shaped.diagnostics).passes[PassId(1)].groups;
    return fmt::format("{} {} {}", x, y, z);
  };
  EXPECT_EQ(groups({98304}), "6144 1 1");
  EXPECT_EQ(groups({"shape_input.z", "rows"}), "2 3 1");
  EXPECT_EQ(groups({2, "shape_input.y", "rows"}), "2 1 1");
  EXPECT_EQ(
      groups({"none", 4}),
      "line 11: filter:01: 'invocations' would have the shape (0, 4) (every size must be at least 1)\n");
}

TEST(ShapesOfKernels, HalvesAreRefusedByNameWithout16BitStorage) {
  ShapeGraph shaped(shapeModule({"rows"}), shapedHalves({3, 33}));
  DeviceModel device;
  device.storage16 = true;
  const auto told = [&] {
    Diagnostics diagnostics;
    const FrameGraph schedule = laidOut(shaped.graph, device, diagnostics);
    EXPECT_EQ(schedule.resources.front().bytes, 198U);
    EXPECT_EQ(bufferBytes(schedule.resources.front()), 208U);
    reportLimits(schedule, device, diagnostics);
    return errorText(diagnostics);
  };
  EXPECT_EQ(told(), "");
  device.storage16 = false;
  EXPECT_EQ(
      told(),
      "line 11: the device can't run filter:01:main: array input holds f16, the device has no 16-bit storage "
      "(storageBuffer16BitAccess)\n"
      "line 11: the device can't run filter:01:main: array output holds f16, the device has no 16-bit "
      "storage "
      "(storageBuffer16BitAccess)\n");
}

// A sink replaces the native node here, because only the connection is checked.
TEST(ImagesOrArrays, AreBothTaken) {
  ModuleDescription module = sinkModule();
  module.connectors[0].channels = {Channels::y};
  module.connectors[0].formats = {Format::f16};
  module.connectors[0].arrayCount = anyCount;
  module.connectors[0].images = true;
  const auto told = [&](const ValueType& given) {
    GraphMaker maker;
    const ModuleId source = maker.add(sourceModule({"output"}));
    maker.connect(source, "output", maker.add(module));
    Diagnostics diagnostics;
    buildNodeGraph(sourcesOf(maker.graph, {{"output", given}}), diagnostics);
    return errorText(diagnostics);
  };
  EXPECT_EQ(told(shapedHalves({3, 4})), "");
  EXPECT_EQ(told({Channels::y, Format::f16, ColourTag::data, {17, 1}}), "");
  EXPECT_EQ(told({Channels::y, Format::u8, ColourTag::data, {17, 1}}),
            "line 100: sink:01:input takes f16, but source:01:output is u8\n");
  module.connectors[0].images = false;
  EXPECT_EQ(told({Channels::y, Format::f16, ColourTag::data, {17, 1}}),
            "line 100: sink:01:input takes an array, but source:01:output is an image\n");
}

}  // namespace
}  // namespace lacuna
