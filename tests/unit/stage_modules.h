#pragma once
// Modules and module graphs made by hand, for the tests of the node graph.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/nodes/node_graph.h"
#include "tests/support/sources.h"

namespace lacuna::test {

inline ConnectorDescription connector(std::string name, Direction direction,
                                      std::vector<Channels> channels = {}) {
  ConnectorDescription result;
  result.name = std::move(name);
  result.direction = direction;
  result.channels = std::move(channels);
  return result;
}

inline NodeOutput output(std::string name, std::string leaves = {}) {
  NodeOutput result;
  result.name = std::move(name);
  result.connector = std::move(leaves);
  return result;
}

inline NodeDescription node(std::string name, NodeKind kind, std::vector<NodeInput> inputs,
                            std::vector<NodeOutput> outputs) {
  NodeDescription result;
  result.name = std::move(name);
  result.kind = kind;
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  return result;
}

inline ParameterDescription structural(std::string name, ParameterType type, ParameterValue value) {
  ParameterDescription result;
  result.name = std::move(name);
  result.type = type;
  result.defaults = {std::move(value)};
  result.structural = true;
  return result;
}

// A source with these outputs, a sink with one input `input`, and a filter from `input` to `output`.
inline ModuleDescription sourceModule(const std::vector<std::string>& outputs) {
  ModuleDescription module;
  module.name = "source";
  module.nodes = {node("file", NodeKind::source, {}, {})};
  for (const std::string& name : outputs) {
    module.connectors.push_back(connector(name, Direction::output));
    module.nodes[0].outputs.push_back(output(name, name));
  }
  return module;
}

inline ModuleDescription sinkModule() {
  ModuleDescription module;
  module.name = "sink";
  module.connectors = {connector("input", Direction::input)};
  module.nodes = {node("file", NodeKind::sink, {{"pixels", "input"}}, {})};
  return module;
}

inline ModuleDescription filterModule() {
  ModuleDescription module;
  module.name = "filter";
  module.connectors = {connector("input", Direction::input), connector("output", Direction::output)};
  module.nodes = {node("main", NodeKind::pointwise, {{"input", "input"}}, {output("output", "output")})};
  return module;
}

// Module m is in line 10 + m, connection c in line 100 + c.
class GraphMaker {
 public:
  ModuleGraph graph;

  ModuleId add(const ModuleDescription& module, std::string instance = "01") {
    ModuleInstance result;
    result.description = std::make_shared<ModuleDescription>(module);
    result.instance = std::move(instance);
    result.where.line = 10 + static_cast<int>(graph.modules.size());
    for (const ParameterDescription& parameter : result.description->parameters)
      result.parameters.push_back({&parameter, parameter.defaults, {}, {}});
    return graph.modules.add(std::move(result));
  }

  void set(ModuleId module, const std::string& parameter, const ParameterValue& value) {
    for (Parameter& each : graph.modules[module].parameters)
      if (each.description->name == parameter)
        each.values = {value};
  }

  void connect(ModuleId from, const std::string& out, ModuleId to, const std::string& in = "input",
               bool feedback = false) {
    ModuleConnection connection{from, out, feedback, {}};
    connection.where.line = 100 + connections_++;
    graph.modules[to].inputs[in] = connection;
    graph.modules[from].connectedOutputs.push_back(out);
  }

 private:
  int connections_ = 0;
};

// "line 101: message (hint)", a line each.
inline std::string errorText(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& error : diagnostics.sorted())
    text += "line " + std::to_string(error.where.line) + ": " + error.message +
            (error.hint.empty() ? "" : " (" + error.hint + ")") + "\n";
  return text;
}

// The node graph with these types for every source's outputs; its errors must be `expected`.
inline NodeGraph build(const GraphMaker& maker, const std::map<std::string, ValueType>& types,
                       const std::string& expected = {}) {
  Diagnostics diagnostics;
  NodeGraph graph = buildNodeGraph(sourcesOf(maker.graph, types), diagnostics);
  EXPECT_EQ(errorText(diagnostics), expected);
  return graph;
}

inline const Node* find(const NodeGraph& graph, const std::string& name) {
  for (const Node& node : graph.nodes)
    if (node.name == name)
      return &node;
  return nullptr;
}

}  // namespace lacuna::test
