#include <gtest/gtest.h>

#include <tuple>

#include "tests/unit/stage_modules.h"

namespace lacuna {
namespace {

using namespace test;

ValueType image(Channels channels, Format format, ColourTag colour, Extent extent = {64, 48}) {
  return {channels, format, colour, extent, 0};
}

const ValueType colourImage = image(Channels::rgba, Format::f16, ColourTag::rec709);

// source -> module -> sink, with the module's default parameters.
struct Pipe {
  GraphMaker maker;
  ModuleId source, middle, sink;
  explicit Pipe(const ModuleDescription& module)
      : source(maker.add(sourceModule({"output", "albedo"}))),
        middle(maker.add(module)),
        sink(maker.add(sinkModule())) {
    maker.connect(source, "output", middle);
    maker.connect(middle, "output", sink);
  }
};

ModuleDescription waveletModule() {
  ModuleDescription module = filterModule();
  module.name = "wavelet";
  module.parameters = {structural("levels", ParameterType::integer, int64_t{5}),
                       structural("noise", ParameterType::floating, 0.0),
                       structural("precision", ParameterType::choice, std::string("f16"))};
  NodeDescription residual = node("residual", NodeKind::stencil, {{"state", "input"}}, {output("output")});
  residual.when = "noise == 0";
  residual.outputs[0].channels = Channels::y;
  residual.outputs[0].format = OrParameter<Format>{Format::f32, {}};
  residual.outputs[0].colour = ColourTag::data;
  NodeDescription median =
      node("median", NodeKind::reduce, {{"residual", "residual.output"}}, {output("noise")});
  median.when = "noise == 0";
  median.outputs[0].arrayCount = 1;
  NodeDescription chain =
      node("atrous", NodeKind::stencil, {{"state", "input"}}, {output("output", "output")});
  chain.bind = {{"noise", "median.noise"}};
  chain.stencil.radius = {3, {}};
  chain.stencil.levels = {0, "levels"};
  chain.stencil.state.format = OrParameter<Format>{Format::f16, "precision"};
  module.nodes = {residual, median, chain};
  return module;
}

TEST(StageNodeGraph, PrintsNodesInputsAndTypes) {
  EXPECT_EQ(print(build(Pipe(waveletModule()).maker, {{"output", colourImage}})),
            "source:01:file source, output: rgba f16 rec709 64x48\n"
            "wavelet:01:residual stencil levels 1 radius 2 state rgba f16, state <- source:01:file.output, "
            "output: y f32 data 64x48\n"
            "wavelet:01:median reduce, residual <- wavelet:01:residual.output, noise: array of 1 y f32\n"
            "wavelet:01:atrous stencil levels 5 radius 3 state rgba f16, state <- source:01:file.output, "
            "noise = wavelet:01:median.noise, output: rgba f16 rec709 64x48\n"
            "sink:01:file sink, pixels <- wavelet:01:atrous.output\n");
}

TEST(StageNodeGraph, StructuralParametersShapeNodes) {
  Pipe pipe(waveletModule());
  pipe.maker.set(pipe.middle, "levels", int64_t{7});
  pipe.maker.set(pipe.middle, "noise", 0.25);
  pipe.maker.set(pipe.middle, "precision", std::string("f32"));
  const NodeGraph graph = build(pipe.maker, {{"output", colourImage}});
  EXPECT_EQ(find(graph, "wavelet:01:residual"), nullptr);
  EXPECT_EQ(find(graph, "wavelet:01:median"), nullptr);
  const Node* chain = find(graph, "wavelet:01:atrous");
  ASSERT_NE(chain, nullptr);
  EXPECT_TRUE(chain->bound.empty());
  EXPECT_EQ(chain->levels, 7);
  EXPECT_EQ(chain->radius, 3);
  EXPECT_EQ(chain->stateFormat, Format::f32);
}

TEST(StageNodeGraph, WhenForms) {
  const std::vector<std::tuple<std::string, ParameterDescription, bool>> cases = {
      {"p", structural("p", ParameterType::boolean, true), true},
      {"p", structural("p", ParameterType::boolean, false), false},
      {"!p", structural("p", ParameterType::boolean, false), true},
      {"!p", structural("p", ParameterType::integer, int64_t{2}), false},
      {"p == 2", structural("p", ParameterType::integer, int64_t{2}), true},
      {"p != 2", structural("p", ParameterType::integer, int64_t{2}), false},
      {"p == 0", structural("p", ParameterType::floating, 0.5), false},
      {"p == fast", structural("p", ParameterType::choice, std::string("fast")), true},
      {"p != fast", structural("p", ParameterType::choice, std::string("good")), true},
  };
  for (const auto& [when, parameter, expected] : cases) {
    ModuleDescription module = filterModule();
    module.parameters = {parameter};
    module.nodes.insert(module.nodes.begin(),
                        node("extra", NodeKind::pointwise, {{"input", "input"}}, {output("output")}));
    module.nodes[0].when = when;
    module.nodes[1].inputs.push_back({"extra", "extra.output"});
    const NodeGraph graph = build(Pipe(module).maker, {{"output", colourImage}});
    EXPECT_EQ(find(graph, "filter:01:extra") != nullptr, expected) << when;
    const Node* main = find(graph, "filter:01:main");
    ASSERT_NE(main, nullptr);
    EXPECT_EQ(bool(valueNamed(main->inputs, "extra")), expected) << when;
  }
}

TEST(StageNodeGraph, TheLastOfRepeatedNodesMakesTheOutput) {
  ModuleDescription module = filterModule();
  module.parameters = {structural("times", ParameterType::integer, int64_t{3})};
  module.nodes[0].kind = NodeKind::kernel;
  module.nodes[0].kernel.repeat = "times";
  const NodeGraph graph = build(Pipe(module).maker, {{"output", colourImage}});
  const auto madeBy = [&](const char* reader) {
    const Node* node = find(graph, reader);
    return node == nullptr ? "" : graph.nodes[graph.values[node->inputs.at(0).value].producer].name;
  };
  EXPECT_EQ(madeBy("sink:01:file"), "filter:01:main.3");
  EXPECT_EQ(madeBy("filter:01:main.3"), "filter:01:main.2");
  EXPECT_EQ(madeBy("filter:01:main.2"), "filter:01:main.1");
  EXPECT_EQ(madeBy("filter:01:main.1"), "source:01:file");
}

// A chain of nodes behind an optional input; `main` reads the last one's value, and a later node its previous
// frame's.
TEST(StageNodeGraph, NodesWithNothingToReadAreNotThere) {
  ModuleDescription module = filterModule();
  module.connectors.push_back(connector("guide", Direction::input));
  module.connectors.back().optional = true;
  NodeDescription widen = node("widen", NodeKind::pointwise, {{"g", "guide"}}, {output("wide")});
  NodeDescription blur = node("blur", NodeKind::stencil, {{"state", "widen.wide"}}, {output("soft")});
  NodeDescription both =
      node("both", NodeKind::pointwise, {{"s", "blur.soft"}, {"i", "input"}}, {output("sum")});
  module.nodes[0].inputs = {{"soft", "blur.soft"}, {"old", "blur.soft", true}, {"sum", "both.sum"}};
  module.nodes.insert(module.nodes.begin(), {widen, blur, both});
  for (const bool connected : {false, true}) {
    GraphMaker maker;
    const ModuleId source = maker.add(sourceModule({"output", "albedo"}));
    const ModuleId filter = maker.add(module);
    maker.connect(source, "output", filter);
    if (connected)
      maker.connect(source, "albedo", filter, "guide");
    maker.connect(filter, "output", maker.add(sinkModule()));
    const NodeGraph graph = build(maker, {{"output", colourImage}, {"albedo", colourImage}});
    for (const char* name : {"filter:01:widen", "filter:01:blur"})
      EXPECT_EQ(find(graph, name) != nullptr, connected) << name;
    const Node* main = find(graph, "filter:01:main");
    ASSERT_NE(main, nullptr);
    EXPECT_EQ(bool(valueNamed(main->inputs, "soft")), connected);
    EXPECT_EQ(bool(valueNamed(main->inputs, "old")), connected);
    EXPECT_TRUE(valueNamed(main->inputs, "sum"));
  }
}

TEST(StageNodeGraph, TypesFromDescriptionConnectorInputOrFirstInput) {
  ModuleDescription module = filterModule();
  module.connectors.push_back(connector("guide", Direction::input));
  module.connectors[1].formats = {Format::f32};
  NodeDescription inner = node("inner", NodeKind::pointwise, {{"g", "guide"}, {"input", "input"}},
                               {output("like"), output("own")});
  inner.outputs[1].channels = Channels::mv;
  inner.outputs[1].format = OrParameter<Format>{Format::f32, {}};
  NodeDescription shrink =
      node("shrink", NodeKind::kernel, {{"a", "inner.like"}, {"b", "inner.own"}}, {output("small")});
  shrink.footprint = {FootprintKind::scale, 0.5F};
  module.nodes[0].inputs = {{"like", "inner.like"}, {"own", "inner.own"}};
  module.nodes[0].outputs.push_back(output("unused"));
  module.nodes.insert(module.nodes.begin(), {inner, shrink});
  module.nodes.push_back(node("count", NodeKind::reduce, {{"s", "shrink.small"}}, {output("sum", "sum")}));
  module.nodes.back().outputs[0].arrayCount = 3;
  module.connectors.push_back(connector("sum", Direction::output));

  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output", "albedo"}));
  const ModuleId filter = maker.add(module);
  maker.connect(source, "output", filter);
  maker.connect(source, "albedo", filter, "guide");
  maker.connect(filter, "output", maker.add(sinkModule()));
  ModuleDescription arraySink = sinkModule();
  arraySink.connectors[0].arrayCount = 3;
  maker.connect(filter, "sum", maker.add(arraySink, "02"));
  const Extent odd{65, 47};
  const NodeGraph graph =
      build(maker, {{"output", image(Channels::rgba, Format::f16, ColourTag::rec709, odd)},
                    {"albedo", image(Channels::rgb, Format::u8, ColourTag::data, odd)}});
  const auto type = [&](const std::string& nodeName, const std::string& name) {
    const Node* found = find(graph, nodeName);
    return found == nullptr ? std::string("no node")
                            : print(graph.values[valueNamed(found->outputs, name)].type);
  };
  EXPECT_EQ(type("filter:01:inner", "like"), "rgb u8 data 65x47");
  EXPECT_EQ(type("filter:01:inner", "own"), "mv f32 data 65x47");
  EXPECT_EQ(type("filter:01:shrink", "small"), "rgb u8 data 33x24");
  EXPECT_EQ(type("filter:01:main", "output"), "rgba f32 rec709 65x47");
  EXPECT_EQ(type("filter:01:count", "sum"), "array of 3 y f32");
}

// What is made of the previous frame's mixture has its type, not that of the motion along which it is moved.
TEST(StageNodeGraph, TypesInALoopOfModules) {
  ModuleDescription mover = filterModule(), mixer = filterModule();
  mover.name = "mover";
  mover.connectors.push_back(connector("motion", Direction::input));
  mover.nodes = {node("main", NodeKind::kernel, {{"input", "input"}, {"motion", "motion"}},
                      {output("output", "output"), output("seen")})};
  mixer.connectors.push_back(connector("other", Direction::input));
  mixer.nodes = {node("main", NodeKind::pointwise, {{"input", "input"}, {"other", "other"}},
                      {output("output", "output")})};
  GraphMaker maker;
  const ModuleId source = maker.add(sourceModule({"output", "motion"}));
  const ModuleId moves = maker.add(mover);
  const ModuleId mixes = maker.add(mixer);
  maker.connect(source, "output", mixes);
  maker.connect(source, "motion", moves, "motion");
  maker.connect(moves, "output", mixes, "other");
  maker.connect(mixes, "output", moves, "input", true);
  maker.connect(mixes, "output", maker.add(sinkModule()));
  const NodeGraph graph =
      build(maker, {{"output", colourImage}, {"motion", image(Channels::mv, Format::f32, ColourTag::data)}});
  for (const char* name : {"mover:01:main", "filter:01:main"})
    EXPECT_EQ(print(graph.values[find(graph, name)->outputs[0].value].type), print(colourImage)) << name;
}

TEST(StageNodeGraph, ColourOfAnOutputNamedByAParameter) {
  ModuleDescription module = filterModule();
  module.parameters = {structural("to", ParameterType::choice, std::string("rec2020"))};
  module.nodes[0].outputs[0].colour = OrParameter<ColourTag>{{}, "to"};
  Pipe pipe(module);
  const NodeGraph graph = build(pipe.maker, {{"output", colourImage}});
  EXPECT_EQ(graph.values.back().type.colour, ColourTag::rec2020);
  module.connectors[0].colour = OrParameter<ColourTag>{{}, "to"};
  build(Pipe(module).maker, {{"output", colourImage}},
        "line 100: filter:01:input takes rec2020, but source:01:output is rec709 ('to' states the input's "
        "type: "
        "param:filter:01:to:rec709)\n");
}

TEST(StageNodeGraph, OnlyOutputsThatAreReadComeFromTheSource) {
  GraphMaker maker;
  ModuleDescription module = sourceModule({"output", "albedo", "normal"});
  // `depth` passes through a node of the module that nothing needs.
  module.nodes[0].outputs.push_back(output("depth"));
  module.nodes.push_back(
      node("unpack", NodeKind::pointwise, {{"depth", "file.depth"}}, {output("depth", "depth")}));
  const ModuleId source = maker.add(module);
  maker.connect(source, "albedo", maker.add(sinkModule()));
  const NodeGraph graph = build(maker, {{"albedo", colourImage}});
  EXPECT_EQ(print(graph),
            "source:01:file source, albedo: rgba f16 rec709 64x48\n"
            "sink:01:file sink, pixels <- source:01:file.albedo\n");
}

TEST(StageNodeGraph, OptionalInputsStayEmptyAndRepeatsAreOneInput) {
  ModuleDescription module = filterModule();
  module.connectors.push_back(connector("mask", Direction::input));
  module.nodes[0].inputs = {{"a", "input"}, {"mask", "mask"}, {"b", "input"}};
  const NodeGraph graph = build(Pipe(module).maker, {{"output", colourImage}});
  const Node* main = find(graph, "filter:01:main");
  ASSERT_NE(main, nullptr);
  ASSERT_EQ(main->inputs.size(), 2U);
  EXPECT_FALSE(valueNamed(main->inputs, "mask"));
  ASSERT_EQ(main->parts.size(), 1U);
  const std::vector<PartInput>& inputs = main->parts[0].inputs;
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_EQ(inputs[0].value, inputs[2].value);
  EXPECT_FALSE(inputs[1].value);
  EXPECT_EQ(main->parts[0].outputTypes, std::vector<ValueType>{colourImage});
}

// A temporal filter: `history` of the previous frame comes in first, and is the tapped state of the chain.
ModuleDescription temporalModule() {
  ModuleDescription module = filterModule();
  module.name = "temporal";
  module.connectors.push_back(connector("back", Direction::input));
  module.connectors.push_back(connector("history", Direction::output));
  module.nodes[0].inputs = {{"back", "back"}, {"input", "input"}};
  module.nodes[0].outputs = {output("output")};
  NodeDescription chain = node("chain", NodeKind::stencil, {{"state", "main.output"}},
                               {output("output", "output"), output("tapped", "history")});
  chain.stencil.state.format = OrParameter<Format>{Format::f32, {}};
  chain.stencil.tapLevel = 0;
  chain.stencil.tapOutput = "tapped";
  module.nodes.push_back(chain);
  return module;
}

TEST(StageNodeGraph, FeedbackTakesItsProducersType) {
  Pipe pipe(temporalModule());
  pipe.maker.connect(pipe.middle, "history", pipe.middle, "back", true);
  const NodeGraph graph = build(pipe.maker, {{"output", colourImage}});
  EXPECT_EQ(
      print(graph),
      "source:01:file source, output: rgba f16 rec709 64x48\n"
      "temporal:01:main pointwise, back <- temporal:01:history of the previous frame, input <- "
      "source:01:file.output, output: rgba f16 rec709 64x48\n"
      "temporal:01:chain stencil levels 1 radius 2 state rgba f32, state <- temporal:01:main.output, output: "
      "rgba f16 rec709 64x48, tapped: rgba f32 rec709 64x48\n"
      "sink:01:file sink, pixels <- temporal:01:chain.output\n"
      "temporal:01:history of the previous frame = temporal:01:chain.tapped of the previous frame: rgba f32 "
      "rec709 "
      "64x48\n");
}

TEST(StageNodeGraph, FeedbackAloneGivesNoSize) {
  GraphMaker maker;
  const ModuleId filter = maker.add(filterModule());
  maker.connect(filter, "output", filter, "input", true);
  maker.connect(filter, "output", maker.add(sinkModule()));
  build(maker, {},
        "line 10: filter:01:main has no image whose size it could have (a node needs an input other than its "
        "own output's value of the previous frame)\n");
}

struct TypeError {
  std::string name;
  ConnectorDescription connector;  // replaces `input` of the filter
  ValueType type;
  std::string message;
};

TEST(StageNodeGraph, ConnectionErrors) {
  const auto takes = [](std::vector<Channels> channels, std::vector<Format> formats,
                        std::optional<ColourTag> colour) {
    ConnectorDescription result = connector("input", Direction::input, std::move(channels));
    result.formats = std::move(formats);
    result.colour = colour;
    return result;
  };
  ConnectorDescription array = takes({}, {}, {});
  array.arrayCount = 4;
  const std::string at = "line 100: filter:01:input takes ";
  const std::vector<TypeError> cases = {
      {"channels", takes({Channels::rgba}, {}, {}), image(Channels::normal, Format::f16, ColourTag::data),
       at + "rgba, but source:01:output is normal\n"},
      {"list", takes({Channels::rgba, Channels::rgb, Channels::y}, {}, {}),
       image(Channels::mv, Format::f16, ColourTag::data),
       at + "rgba, rgb or y, but source:01:output is mv\n"},
      {"format", takes({}, {Format::f16, Format::f32}, {}),
       image(Channels::rgb, Format::u8, ColourTag::rec709), at + "f16 or f32, but source:01:output is u8\n"},
      {"tag", takes({}, {}, ColourTag::rec2020), colourImage,
       at + "rec2020, but source:01:output is rec709 (insert a `colour` module)\n"},
      {"array", array, colourImage, at + "an array of 4, but source:01:output is an image\n"},
      {"any", takes({Channels::any2}, {}, {}), colourImage, at + "any2, but source:01:output is rgba\n"},
      {"fits", takes({Channels::any4}, {Format::f16}, ColourTag::rec709), colourImage, ""},
      {"twice", takes({Channels::y}, {Format::f32}, {}), colourImage,
       at + "f32, but source:01:output is f16\n" + at + "y, but source:01:output is rgba\n"},
  };
  for (const TypeError& error : cases) {
    SCOPED_TRACE(error.name);
    ModuleDescription module = filterModule();
    module.connectors[0] = error.connector;
    build(Pipe(module).maker, {{"output", error.type}}, error.message);
  }
}

TEST(StageNodeGraph, ExtentsAndColoursOfOneModuleMustAgree) {
  ModuleDescription module = filterModule();
  module.connectors.push_back(connector("albedo", Direction::input));
  module.nodes[0].inputs.push_back({"albedo", "albedo"});
  Pipe pipe(module);
  pipe.maker.connect(pipe.source, "albedo", pipe.middle, "albedo");
  const ValueType wide = image(Channels::rgb, Format::f16, ColourTag::rec2020);
  build(pipe.maker, {{"output", colourImage}, {"albedo", wide}},
        "line 102: filter:01 mixes colours: input is rec709, but albedo is rec2020 (insert a `colour` "
        "module)\n");
  const ValueType small = image(Channels::rgb, Format::f16, ColourTag::data, {32, 24});
  build(pipe.maker, {{"output", colourImage}, {"albedo", small}},
        "line 11: filter:01: input is 64x48, but albedo is 32x24 (`resize` and `crop` change sizes)\n");
  const ValueType fits = image(Channels::normal, Format::f16, ColourTag::rec2020);
  build(pipe.maker, {{"output", colourImage}, {"albedo", fits}});
}

// Kernels that reduce or enlarge read images of several sizes, unless they run for each pixel of an input.
TEST(StageNodeGraph, ExtentsMustAgreeWhereAKernelRunsByAnInput) {
  for (const char* extentOf : {"", "albedo"}) {
    ModuleDescription module = filterModule();
    module.connectors.push_back(connector("albedo", Direction::input));
    NodeDescription& kernel = module.nodes[0];
    kernel.inputs.push_back({"albedo", "albedo"});
    kernel.kind = NodeKind::kernel;
    kernel.footprint = {FootprintKind::scale, 2.0F};
    kernel.kernel.extentOf = extentOf;
    Pipe pipe(module);
    pipe.maker.connect(pipe.source, "albedo", pipe.middle, "albedo");
    const ValueType small = image(Channels::rgb, Format::f16, ColourTag::data, {32, 24});
    build(pipe.maker, {{"output", colourImage}, {"albedo", small}},
          *extentOf == '\0'
              ? ""
              : "line 11: filter:01: input is 64x48, but albedo is 32x24 (`resize` and `crop` change "
                "sizes)\n");
  }
}

TEST(StageNodeGraph, OutputsThatNobodyOrTwoNodesMake) {
  ModuleDescription module = filterModule();
  module.parameters = {structural("p", ParameterType::boolean, false),
                       structural("q", ParameterType::boolean, false)};
  module.nodes.push_back(module.nodes[0]);
  module.nodes[1].name = "other";
  module.nodes[0].when = "p";
  module.nodes[1].when = "q";
  Pipe pipe(module);
  build(pipe.maker, {{"output", colourImage}},
        "line 101: filter:01 makes no 'output' with the parameters that it has\n");
  pipe.maker.set(pipe.middle, "q", true);
  build(pipe.maker, {{"output", colourImage}});
  pipe.maker.set(pipe.middle, "p", true);
  build(
      pipe.maker, {{"output", colourImage}},
      "line 11: filter:01:main.output and filter:01:other.output both make 'output' with the parameters that "
      "filter:01 has\n");
}

TEST(StageNodeGraph, SourcesWithAReportedErrorAreNotReportedAgain) {
  Pipe pipe(filterModule());
  Diagnostics diagnostics;
  diagnostics.error({-1, 10}, "cannot open 'x.exr'");
  buildNodeGraph({pipe.maker.graph}, diagnostics);
  EXPECT_EQ(errorText(diagnostics), "line 10: cannot open 'x.exr'\n");
  build(pipe.maker, {{"albedo", colourImage}}, "line 10: source:01 has no 'output'\n");
  build(pipe.maker, {}, "line 10: source:01 has no input to read\n");
}

}  // namespace
}  // namespace lacuna
