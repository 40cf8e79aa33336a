#include "graph/nodes/cull.h"

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
      for (const BoundParameter& bound : node.bound)
        read(bound.value);
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

  static bool mayLoseOutputs(const Node& node) {
    const bool isKernel = node.kind == NodeKind::kernel && !node.description->isSpirv();
    return isKernel || node.kind == NodeKind::pointwise || node.kind == NodeKind::source ||
           node.kind == NodeKind::stencil;
  }

  void dropOutputs(Node& node) const {
    if (!mayLoseOutputs(node))
      return;
    const auto isUnread = [&](const NamedValue& output) {
      return output.value != noValue && !readValues_[output.value];
    };
    node.outputs.erase(std::remove_if(node.outputs.begin(), node.outputs.end(), isUnread),
                       node.outputs.end());
    for (NodePart& part : node.parts)
      for (NamedValue& output : part.outputs)
        if (isUnread(output))
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
      forEachValue(node, [&](int& value) { value = value == noValue ? noValue : newValue[value]; });
    graph_.nodes = std::move(nodes);
    graph_.values = std::move(values);
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
