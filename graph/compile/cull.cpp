#include "graph/compile/cull.h"

#include <algorithm>

namespace lacuna {
namespace {

class Culler {
 public:
  explicit Culler(NodeGraph& graph)
      : graph_(graph), readValues_(graph.values.size(), false), keptNodes_(graph.nodes.size(), false) {}

  void run() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      if (graph_.nodes[n].kind == NodeKind::sink)
        keep(static_cast<int>(n));
    while (!open_.empty()) {
      const Node& node = graph_.nodes[open_.back()];
      open_.pop_back();
      for (const NamedValue& input : node.inputs)
        read(input.value);
      for (const auto& [parameter, value] : node.bound)
        read(value);
    }
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      if (keptNodes_[n])
        dropOutputs(graph_.nodes[n]);
    renumber();
  }

 private:
  void keep(int node) {
    if (keptNodes_[node])
      return;
    keptNodes_[node] = true;
    open_.push_back(node);
  }

  void read(int value) {
    if (value == noValue || readValues_[value])
      return;
    readValues_[value] = true;
    if (graph_.values[value].feedback)
      read(graph_.values[value].feedbackOf);
    else if (graph_.values[value].constant == nullptr)
      keep(graph_.values[value].producer);
  }

  void dropOutputs(Node& node) const {
    const auto isUnread = [&](const NamedValue& output) { return !readValues_[output.value]; };
    const auto mayGo = [&](const NamedValue& output) {
      const bool optional =
          node.kind == NodeKind::pointwise || node.kind == NodeKind::source ||
          (node.kind == NodeKind::stencil && output.name == node.description->stencil.tapOutput);
      return optional && isUnread(output);
    };
    node.outputs.erase(std::remove_if(node.outputs.begin(), node.outputs.end(), mayGo), node.outputs.end());
    for (NodePart& part : node.parts)
      for (NamedValue& output : part.outputs)
        if (output.value != noValue && isUnread(output))
          output.value = noValue;
  }

  void renumber() {
    std::vector<Node> nodes;
    std::vector<int> newNode(graph_.nodes.size(), -1);
    std::vector<bool> keptValues = readValues_;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (!keptNodes_[n])
        continue;
      for (const NamedValue& output : graph_.nodes[n].outputs)
        keptValues[output.value] = true;
      newNode[n] = static_cast<int>(nodes.size());
      nodes.push_back(std::move(graph_.nodes[n]));
    }
    std::vector<Value> values;
    std::vector<int> newValue(graph_.values.size(), noValue);
    for (size_t v = 0; v < graph_.values.size(); ++v) {
      if (!keptValues[v])
        continue;
      newValue[v] = static_cast<int>(values.size());
      values.push_back(std::move(graph_.values[v]));
    }
    for (Value& value : values) {
      value.producer = value.producer < 0 ? -1 : newNode[value.producer];
      value.feedbackOf = value.feedbackOf == noValue ? noValue : newValue[value.feedbackOf];
    }
    for (Node& node : nodes)
      renumber(node, newValue);
    graph_.nodes = std::move(nodes);
    graph_.values = std::move(values);
  }

  static void renumber(Node& node, const std::vector<int>& newValue) {
    const auto update = [&](int& value) { value = value == noValue ? noValue : newValue[value]; };
    for (NamedValue& input : node.inputs)
      update(input.value);
    for (NamedValue& output : node.outputs)
      update(output.value);
    for (auto& [parameter, value] : node.bound)
      update(value);
    for (NodePart& part : node.parts) {
      for (PartInput& input : part.inputs)
        update(input.value);
      for (NamedValue& output : part.outputs)
        update(output.value);
    }
  }

  NodeGraph& graph_;
  std::vector<bool> readValues_;  // by value
  std::vector<bool> keptNodes_;   // by node
  std::vector<int> open_;         // kept nodes whose inputs are still to be followed
};

}  // namespace

NodeGraph cull(NodeGraph graph) {
  Culler(graph).run();
  return graph;
}

}  // namespace lacuna
