#pragma once
// ModuleGraph -> NodeGraph: modules expanded into their nodes, every value typed.
// Nodes and values are in evaluation order: a node's inputs are produced by earlier nodes.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/compile/module_graph.h"

namespace lacuna {

constexpr int noValue = -1;

struct Value {
  std::string name;  // "eaw:01:atrous.output"
  ValueType type;
  int producer = -1;      // node
  bool feedback = false;  // last frame's value of `feedbackOf`; has no producer
  int feedbackOf = noValue;
  std::shared_ptr<const std::vector<std::byte>> constant = nullptr;  // an upload; has no producer
};

struct NamedValue {
  std::string name;     // as the body knows it
  int value = noValue;  // noValue: an optional input that is not connected
};

// The value of that name; noValue where there is none.
int valueNamed(const std::vector<NamedValue>& list, std::string_view name);

// One pointwise body of a fused node. Inputs are values, or outputs of earlier parts.
struct PartInput {
  std::string name;
  int value = noValue;  // when the input comes from outside the node
  int part = -1;        // else: output `output` of this earlier part
  std::string output;
};

struct NodePart {
  int module = -1;  // index into ModuleGraph::modules (parameters, folder)
  const NodeDescription* description = nullptr;
  std::vector<PartInput> inputs;
  std::vector<NamedValue> outputs;     // noValue: used only inside the node
  std::vector<ValueType> outputTypes;  // of `outputs`: what they round through
};

struct Node {
  std::string name;  // "eaw:01:atrous"
  NodeKind kind = NodeKind::pointwise;
  int module = -1;  // index into ModuleGraph::modules
  const NodeDescription* description = nullptr;
  std::vector<NamedValue> inputs;  // every input value, without repeats for fused nodes
  std::vector<NamedValue> outputs;
  std::vector<NodePart> parts;       // pointwise only: at least one
  std::map<std::string, int> bound;  // parameter -> array value that holds it

  // stencil only: structural values resolved
  int levels = 1;
  int radius = 2;
  Format stateFormat = Format::f16;
};

struct NodeGraph {
  ModuleGraph modules;
  std::vector<Node> nodes;
  std::vector<Value> values;
};

// What a source will deliver, found before anything is allocated: one type an output connector.
// Reports what is wrong with its file and returns an empty map.
using ProbeSource = std::function<std::map<std::string, ValueType>(
    const ModuleInstance& source, const ModuleGraph& graph, Diagnostics& diagnostics)>;

// Reports channel, format and colour-tag mismatches and differing extents.
NodeGraph buildNodeGraph(ModuleGraph graph, const ProbeSource& probe, Diagnostics& diagnostics);

std::string print(const NodeGraph& graph);

}  // namespace lacuna
