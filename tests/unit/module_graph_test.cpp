#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "graph/nodes/module_graph.h"
#include "tests/support/graph_text.h"
#include "tests/support/random.h"

namespace lacuna {
namespace {

Registry testRegistry() {
  return Registry({std::string(LACUNA_TEST_FOLDER) + "/error/modules"});
}

ModuleGraph buildRight(const std::string& text) {
  Diagnostics diagnostics;
  Registry registry = testRegistry();
  const Config config = parseConfigText(test::graphText(text), "folder/graph.cfg", diagnostics);
  ModuleGraph graph = buildModuleGraph(config, registry, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << diagnostics.render();  // some modules lead to no sink
  return graph;
}

const std::string chain = "i-test filter-test o-test\n";

TEST(ModuleGraph, ProducersComeFirst) {
  const ModuleGraph graph = buildRight("frames:7\nfps:12.5\n" + chain);
  EXPECT_EQ(graph.frames, 7);
  EXPECT_EQ(graph.framesPerSecond, 12.5F);
  EXPECT_EQ(graph.folder, "folder");
  ASSERT_EQ(graph.modules.size(), 3U);
  EXPECT_EQ(graph.modules.front().name(), "i-test:01");
  EXPECT_EQ(graph.modules[ModuleId(1)].name(), "filter-test:01");
  EXPECT_EQ(graph.modules[ModuleId(2)].name(), "o-test:01");
  EXPECT_EQ(graph.modules[ModuleId(1)].inputs.at("input").producer, ModuleId(0));
  EXPECT_EQ(graph.modules[ModuleId(1)].inputs.at("input").connector, "output");
  EXPECT_EQ(graph.modules[ModuleId(2)].inputs.at("input").producer, ModuleId(1));
  EXPECT_EQ(graph.modules.front().connectedOutputs, std::vector<std::string>{"output"});
  EXPECT_TRUE(graph.modules[ModuleId(2)].connectedOutputs.empty());
  EXPECT_EQ(graph.find("filter-test:01"), &graph.modules[ModuleId(1)]);
  EXPECT_EQ(graph.find("filter-test:02"), nullptr);
  EXPECT_THROW(graph.modules.front().parameter("nothing"), std::out_of_range);
}

TEST(ModuleGraph, ParametersInOrderWithAllValues) {
  const ModuleGraph graph = buildRight(chain +
                                       "param:filter-test:01:gains:2:0.5\n"
                                       "param:filter-test:01:offset:-1.5:1e3\n"
                                       "param:filter-test:01:strength:2\nparam:filter-test:01:strength:3\n"
                                       "param:filter-test:01:enabled:0\nparam:filter-test:01:mode:hard\n"
                                       "param:filter-test:01:label:\"\"\n");
  const ModuleInstance& filter = *graph.find("filter-test:01");
  ASSERT_EQ(filter.parameters.size(), filter.description->parameters.size());
  for (size_t i = 0; i < filter.parameters.size(); ++i) {
    EXPECT_EQ(filter.parameters[i].description, &filter.description->parameters[i]);
    EXPECT_EQ(filter.parameters[i].values.size(), filter.parameters[i].description->count);
  }
  EXPECT_EQ(filter.parameter("gains").values, (ParameterValues{2.0, 0.5, 0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(filter.parameter("offset").values, (ParameterValues{-1.5, 1000.0}));
  EXPECT_EQ(filter.parameter("strength").values, ParameterValues{3.0}) << "the last line wins";
  EXPECT_EQ(filter.parameter("strength").where.line, 10);
  EXPECT_EQ(filter.parameter("enabled").values, ParameterValues{false});
  EXPECT_EQ(filter.parameter("mode").values, ParameterValues{std::string("hard")});
  EXPECT_EQ(filter.parameter("steps").values, ParameterValues{int64_t{4}});
  EXPECT_EQ(filter.parameter("steps").where.file, -1);
}

TEST(ModuleGraph, KeyframesAreInterpolatedAndHeld) {
  const ModuleGraph graph =
      buildRight(chain +
                 "keyframe:10:filter-test:01:strength:1\n"
                 "keyframe:20:filter-test:01:strength:2:step\n"
                 "keyframe:30:filter-test:01:strength:8\n"
                 "keyframe:0:filter-test:01:steps:1:linear\n"
                 "keyframe:4:filter-test:01:steps:8\n"
                 "keyframe:8:filter-test:01:steps:2\n"
                 "keyframe:2:filter-test:01:gains:1\nkeyframe:4:filter-test:01:gains:3:0\n");
  const ModuleInstance& filter = *graph.find("filter-test:01");
  const auto strength = [&](int frame) {
    return std::get<double>(valuesAt(filter.parameter("strength"), frame)[0]);
  };
  EXPECT_EQ(strength(0), 1.0);
  EXPECT_EQ(strength(10), 1.0);
  EXPECT_DOUBLE_EQ(strength(13), 1.3);
  EXPECT_EQ(strength(20), 2.0);
  EXPECT_EQ(strength(29), 2.0) << "step";
  EXPECT_EQ(strength(30), 8.0);
  EXPECT_EQ(strength(1000000), 8.0);
  const auto steps = [&](int frame) {
    return std::get<int64_t>(valuesAt(filter.parameter("steps"), frame)[0]);
  };
  EXPECT_EQ(steps(1), 3) << "2.75, rounded";
  EXPECT_EQ(steps(7), 8) << "whole numbers step unless told otherwise";
  EXPECT_EQ(valuesAt(filter.parameter("gains"), 3), (ParameterValues{2.0, 0.5, 0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(valuesAt(filter.parameter("offset"), 3), (ParameterValues{0.0, 0.0}));
}

TEST(ModuleGraph, FeedbackMayCloseACycle) {
  const ModuleGraph graph = buildRight(
      "i-test:01:motion guide=filter-test:b filter-test:a o-test\n"
      "filter-test:a input~filter-test:b\n");
  EXPECT_EQ(graph.modules[ModuleId(1)].name(), "filter-test:b");
  EXPECT_TRUE(graph.modules[ModuleId(1)].inputs.at("input").feedback);
  EXPECT_EQ(graph.modules[ModuleId(1)].inputs.at("input").producer, ModuleId(2));
  EXPECT_EQ(graph.modules[ModuleId(2)].connectedOutputs, std::vector<std::string>{"output"});
}

TEST(ModuleGraph, UnusedModulesAreFine) {
  EXPECT_EQ(buildRight(chain + "module:i-test:spare\n").modules.size(), 4U);
}

TEST(ModuleGraph, PrintsItself) {
  const std::string text = print(buildRight(chain + "keyframe:3:filter-test:01:strength:2\n"));
  for (const std::string expected : {"filter-test:01\n  input <- i-test:01:output\n", "  strength = 1\n",
                                     "    frame 3: 2, linear\n", "  mode = \"soft\" (default)\n"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\nis not in\n" << text;
}

// A random graph without cycles, its lines shuffled: sorted right, and the same for any order of connect
// lines.
TEST(ModuleGraph, SortsRandomGraphs) {
  std::mt19937_64& random = test::testRandom();
  for (int round = 0; round < 50; ++round) {
    const int count = 2 + static_cast<int>(random() % 30);
    std::vector<std::string> modules = {"module:i-test:00\n", "module:o-test:00\n"};
    std::vector<std::string> connections = {"filter-test:" + std::to_string(count - 1) + " o-test:00\n"};
    for (int i = 0; i < count; ++i) {
      modules.push_back("module:filter-test:" + std::to_string(i) + "\n");
      const std::string from =
          i == 0 ? "i-test:00" : "filter-test:" + std::to_string(random() % static_cast<unsigned>(i));
      connections.push_back(from + " filter-test:" + std::to_string(i) + "\n");
    }
    std::shuffle(modules.begin(), modules.end(), random);
    std::string printed;
    for (int order = 0; order < 2; ++order) {
      std::shuffle(connections.begin(), connections.end(), random);
      std::string text;
      for (const auto& lines : {modules, connections})
        for (const std::string& line : lines)
          text += line;
      const ModuleGraph graph = buildRight(text);
      ASSERT_EQ(graph.modules.size(), modules.size());
      for (const ModuleId module : graph.modules.ids())
        for (const auto& [name, connection] : graph.modules[module].inputs)
          ASSERT_LT(connection.producer, module);
      EXPECT_EQ(order == 0 ? print(graph) : printed, print(graph));
      printed = print(graph);
    }
  }
}

}  // namespace
}  // namespace lacuna
