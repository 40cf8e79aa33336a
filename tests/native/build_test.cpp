// Nodes that native code builds: possible mistakes, and the resulting graph.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/config/config.h"
#include "graph/nodes/build_native.h"
#include "graph/nodes/node_graph.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "tests/native/places.h"
#include "tests/support/graph_text.h"
#include "tests/support/sources.h"

namespace lacuna::test {
namespace {

struct BuiltGraph {
  NodeGraph graph;
  Diagnostics diagnostics;
};

BuiltGraph buildAround(const std::string& module, const std::string& parameters) {
  BuiltGraph built;
  const Config config = parseConfigText(graphText("i-memory " + module + " o-memory\n" + parameters), "g.cfg",
                                        built.diagnostics);
  Registry registry({testModules, ownModules});
  ModuleGraph modules = loadNative(buildModuleGraph(config, registry, built.diagnostics), built.diagnostics);
  EXPECT_FALSE(built.diagnostics.hasErrors()) << built.diagnostics.render();
  const ValueType image{Channels::y, Format::f32, ColourTag::data, {7, 3}, 0};
  built.graph = buildNodeGraph(sourcesOf(std::move(modules), {{"output", image}}), built.diagnostics);
  return built;
}

void expectError(const std::string& how, const std::string& message) {
  const BuiltGraph built = buildAround(
      "any-native", fmt::format("param:any-native:01:where:build\nparam:any-native:01:how:{}\n", how));
  EXPECT_TRUE(built.diagnostics.hasErrors()) << how;
  const std::string text = built.diagnostics.render();
  EXPECT_NE(text.find(message), std::string::npos) << how << ": '" << message << "' is not in\n" << text;
}

TEST(NativeBuild, FailuresOfBuild) {
  expectError("error", "g.cfg:3:8: error: the cat sat on it");
  expectError("blame", "g.cfg:8:");
  expectError("blame", "this word is wrong");
  expectError("zero", "an error, but returns 0");
  expectError("silent", "build() of");
  expectError("silent", "failed with 5, without a message");
  expectError("throw", "threw an exception, which no entry point may: thrown at you");
  expectError("number", "something that is not a std::exception");
}

TEST(NativeBuild, WrongThingsBuilt) {
  expectError("no-toml", "any-native:01:layers as built:");
  expectError("no-nodes", "no node has an output for the connector 'output'");
  expectError("wrong-source", "any-native:01:layers as built:5:34: error: 'inptu' is neither");
  expectError("wrong-source", "did you mean 'input'?");
  expectError("wrong-shader", "there is no file 'sub.glsl'");
  expectError("wrong-kind", "native code can't build a sink");
  expectError("wrong-type", "'more' is not of the type of the native node's output 'output'");
  expectError("wrong-connector", "did you mean 'output'?");
  expectError("shader-twice", "the shader 'add.glsl' appears twice");
  expectError("upload-short", "the upload 'w' has 7 bytes, but array of 2 y f32 takes 8");
  expectError("upload-half", "the upload 'w' has 8 bytes, but array of 2 y f16 takes 4");
  expectError("upload-bytes", "the upload 'w' is not an array of f16, f32 or u32");
  expectError("upload-empty", "no array has the shape (2, 0): expected one to four sizes above 0");
  expectError("upload-shape", "6 elements in the shape (2, 2)");
  expectError("upload-many", "the upload 'w' has 2147483648 elements, an array has at most 2147483647");
  expectError("upload-name", "the upload 'w w' has no such name");
  expectError("upload-twice", "the upload 'w' appears twice");
}

// Variants are for nodes that are built; mistakes in them are shown at the node.
TEST(NativeBuild, VariantsOfBuiltNodes) {
  expectError("wrong-variant",
              "as built:1:1: error: the variant 'other' is for 'sub', which is not a kernel");
  expectError("wrong-variant", "'sub' has no input 'y', which its variant 'other' names");
  const BuiltGraph built = buildAround("scale", {});
  ASSERT_FALSE(built.diagnostics.hasErrors()) << built.diagnostics.render();
  for (const Node& node : built.graph.nodes) {
    const auto variants = variantsOf(built.graph, node);
    ASSERT_EQ(variants.size(), node.name == "scale:01:net/weigh" ? 1U : 0U) << node.name;
    if (!variants.empty()) {
      EXPECT_EQ(sharedBytes(built.graph, node, defaultSchedule(*variants.front())), 4U * 8U * 8U);
      EXPECT_EQ(node.constants, std::vector<int32_t>{1});
    }
  }
}

TEST(NativeBuild, AWarningIsNoError) {
  const BuiltGraph built =
      buildAround("any-native", "param:any-native:01:where:build\nparam:any-native:01:how:warn\n");
  EXPECT_FALSE(built.diagnostics.hasErrors());
  EXPECT_NE(built.diagnostics.render().find("g.cfg:3:8: warning: mind the gap"), std::string::npos)
      << built.diagnostics.render();
}

TEST(NativeBuild, NodesStandInTheNativeOnesPlace) {
  const BuiltGraph built = buildAround("scale", "param:scale:01:seed:6\n");
  ASSERT_FALSE(built.diagnostics.hasErrors()) << built.diagnostics.render();
  const NodeGraph& graph = built.graph;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes)
    names.push_back(node.name);
  EXPECT_EQ(names, (std::vector<std::string>{"i-memory:01:image", "scale:01:net/weigh", "scale:01:net/gain",
                                             "o-memory:01:image"}));
  for (const Value& value : graph.values) {
    if (value.constant != nullptr) {
      EXPECT_EQ(value.name, "scale:01:net.upload.weights");
      EXPECT_EQ(value.constant->size(), 8U);
      continue;
    }
    EXPECT_EQ(print(value.type), "y f32 data 7x3") << value.name;
    ASSERT_TRUE(value.producer) << value.name;
    const Node& producer = graph.nodes[value.producer];
    EXPECT_TRUE(std::any_of(producer.outputs.begin(), producer.outputs.end(), [&](const NamedValue& output) {
      return &graph.values[output.value] == &value;
    })) << value.name;
  }
  const std::string modules = print(graph.modules);
  EXPECT_NE(modules.find("\nscale:01\n"), std::string::npos) << modules;
  EXPECT_EQ(modules.find("\nscale:01\n"), modules.rfind("\nscale:01\n")) << modules;
}

}  // namespace
}  // namespace lacuna::test
