#include "graph/run/tune/tune.h"

#include <algorithm>
#include <cstring>

#include "graph/lists.h"

namespace lacuna {
namespace {

const NodeDescription& memoryEnd(NodeKind kind) {
  const auto make = [](NodeKind of) {
    NodeDescription description;
    description.name = "memory";
    description.kind = of;
    description.memory = true;
    return description;
  };
  static const NodeDescription source = make(NodeKind::source);
  static const NodeDescription sink = make(NodeKind::sink);
  return kind == NodeKind::source ? source : sink;
}

Node endNode(NodeKind kind, ModuleId module) {
  Node node;
  node.name = kind == NodeKind::source ? "tune:source" : "tune:sink";
  node.kind = kind;
  node.module = module;
  node.description = &memoryEnd(kind);
  return node;
}

std::vector<ValueId> valuesRead(const Node& node) {
  std::vector<ValueId> values;
  const auto add = [&](ValueId value) {
    if (value && !contains(values, value))
      values.push_back(value);
  };
  for (const NamedValue& input : node.inputs)
    add(input.value);
  for (const BoundParameter& bound : node.bound)
    add(bound.value);
  return values;
}

}  // namespace

NodeGraph filterBetweenMemory(const NodeGraph& graph, const Node& node) {
  NodeGraph alone = graph;
  for (Value& value : alone.values) {  // all modules except the filter's lose their nodes, and are culled
    value.producer = {};
    value.feedback = false;
  }
  constexpr NodeId sourceId(0), filterId(1);
  Node source = endNode(NodeKind::source, node.module);
  Node sink = endNode(NodeKind::sink, node.module);
  for (const ValueId value : valuesRead(node)) {
    Value& read = alone.values[value];
    source.outputs.push_back({read.name, value});
    read.producer = sourceId;
    read.feedbackOf = {};
    read.constant = nullptr;
  }
  for (const NamedValue& output : node.outputs) {
    if (output.value) {
      sink.inputs.push_back({alone.values[output.value].name, output.value});
      alone.values[output.value].producer = filterId;
    }
  }
  addOwnPart(source);
  addOwnPart(sink);
  alone.nodes = {std::move(source), node, std::move(sink)};
  return alone;
}

NodeGraph graphBefore(const NodeGraph& graph, const Node& node) {
  NodeGraph before = graph;
  std::vector<NodeId> kept;
  for (const NodeId id : before.nodes.ids())
    if (before.nodes[id].kind != NodeKind::sink)
      kept.push_back(id);
  arrangeNodes(before, kept);
  Node sink = endNode(NodeKind::sink, node.module);
  for (const ValueId value : valuesRead(node))
    sink.inputs.push_back({before.values[value].name, value});
  addOwnPart(sink);
  before.nodes.add(std::move(sink));
  return before;
}

void computeSettled(Session& session, int frame) {
  constexpr int frames = 8;  // twice svgf's default
  const int runs = std::ranges::any_of(session.schedule().graph.values, &Value::feedback) ? frames : 1;
  for (int run = 0; run < runs; ++run)
    session.compute(frame);
}

ValueBytes downloaded(Session& session) {
  ValueBytes values;
  for (const Node& node : session.schedule().graph.nodes) {
    for (const NamedValue& input : node.inputs) {
      if (node.kind == NodeKind::sink) {
        const auto bytes = session.downloadMemory(input.name);
        values[input.name].assign(bytes.begin(), bytes.end());
      }
    }
  }
  return values;
}

void upload(Session& session, const ValueBytes& values) {
  for (const auto& [name, bytes] : values) {
    const auto memory = session.uploadMemory(name);
    std::memcpy(memory.data(), bytes.data(), std::min(memory.size(), bytes.size()));
  }
}

}  // namespace lacuna
