#include "graph/run/tune/filter_alone.h"

#include <algorithm>
#include <cstring>

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

// With a part that carries what the node does.
Node finished(Node node) {
  NodePart part;
  part.name = node.name;
  part.module = node.module;
  part.description = node.description;
  for (const NamedValue& input : node.inputs) {
    part.inputs.push_back({input.name, input.value, -1, {}});
  }
  part.outputs = node.outputs;
  node.parts = {std::move(part)};
  return node;
}

Node endNode(NodeKind kind, int module) {
  Node node;
  node.name = kind == NodeKind::source ? "tune:source" : "tune:sink";
  node.kind = kind;
  node.module = module;
  node.description = &memoryEnd(kind);
  return node;
}

std::vector<int> valuesRead(const Node& node) {
  std::vector<int> values;
  const auto add = [&](int value) {
    if (value != noValue && std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(value);
    }
  };
  for (const NamedValue& input : node.inputs) {
    add(input.value);
  }
  for (const BoundParameter& bound : node.bound) {
    add(bound.value);
  }
  return values;
}

}  // namespace

NodeGraph filterBetweenMemory(const NodeGraph& graph, const Node& node) {
  NodeGraph alone = graph;
  Node source = endNode(NodeKind::source, node.module);
  Node sink = endNode(NodeKind::sink, node.module);
  for (const int value : valuesRead(node)) {
    Value& read = alone.values[static_cast<size_t>(value)];
    source.outputs.push_back({read.name, value});
    read.producer = 0;
    read.feedback = false;
    read.feedbackOf = noValue;
    read.constant = nullptr;
  }
  for (const NamedValue& output : node.outputs) {
    if (output.value != noValue) {
      sink.inputs.push_back({alone.values[static_cast<size_t>(output.value)].name, output.value});
      alone.values[static_cast<size_t>(output.value)].producer = 1;
    }
  }
  // The others have no nodes any more, and are culled.
  for (Value& value : alone.values) {
    value.producer = std::min(value.producer, 1);
    value.feedback = false;
  }
  alone.nodes = {finished(std::move(source)), node, finished(std::move(sink))};
  return alone;
}

NodeGraph graphBefore(const NodeGraph& graph, const Node& node) {
  NodeGraph before = graph;
  std::vector<Node> kept;
  std::vector<int> place(before.nodes.size(), -1);
  for (size_t n = 0; n < before.nodes.size(); ++n) {
    if (before.nodes[n].kind != NodeKind::sink) {
      place[n] = static_cast<int>(kept.size());
      kept.push_back(before.nodes[n]);
    }
  }
  for (Value& value : before.values) {
    value.producer = value.producer < 0 ? -1 : place[static_cast<size_t>(value.producer)];
  }
  Node sink = endNode(NodeKind::sink, node.module);
  for (const int value : valuesRead(node)) {
    sink.inputs.push_back({before.values[static_cast<size_t>(value)].name, value});
  }
  kept.push_back(finished(std::move(sink)));
  before.nodes = std::move(kept);
  return before;
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
