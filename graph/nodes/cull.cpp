#include "graph/nodes/rewrites.h"

#include <algorithm>

namespace lacuna {
namespace {

class Culler {
 public:
  explicit Culler(NodeGraph& graph)
      : graph_(graph), readValues_(graph.values.size(), false), keptNodes_(graph.nodes.size(), false) {}

  void run() {
    for (const NodeId node : graph_.nodes.ids())
      if (graph_.nodes[node].kind == NodeKind::sink)
        keep(node);
    while (!open_.empty()) {
      const Node& node = graph_.nodes[open_.back()];
      open_.pop_back();
      for (const NamedValue& input : node.inputs)
        read(input.value);
      for (const BoundParameter& bound : node.bound)
        read(bound.value);
    }
    for (const NodeId node : graph_.nodes.ids())
      if (keptNodes_[node])
        dropOutputs(graph_.nodes[node]);
    arrangeNodes(graph_, keptInOrder());
    dropValues();
  }

 private:
  void keep(NodeId node) {
    if (keptNodes_[node])
      return;
    keptNodes_[node] = true;
    open_.push_back(node);
  }

  void read(ValueId value) {
    if (!value || readValues_[value])
      return;
    readValues_[value] = true;
    if (graph_.values[value].feedback)
      read(graph_.values[value].feedbackOf);
    else if (graph_.values[value].producer)
      keep(graph_.values[value].producer);
  }

  static bool mayLoseOutputs(const Node& node) {
    const bool isKernel = statesOutputs(node.kind) && !node.description->isSpirv();
    return isKernel || node.kind == NodeKind::pointwise || node.kind == NodeKind::source ||
           node.kind == NodeKind::stencil;
  }

  void dropOutputs(Node& node) const {
    if (!mayLoseOutputs(node))
      return;
    const auto isUnread = [&](const NamedValue& output) {
      return output.value && !readValues_[output.value] && !graph_.values[output.value].zeroed;
    };
    node.outputs.erase(std::remove_if(node.outputs.begin(), node.outputs.end(), isUnread),
                       node.outputs.end());
    for (NodePart& part : node.parts)
      for (NamedValue& output : part.outputs)
        if (isUnread(output))
          output.value = {};
  }

  std::vector<NodeId> keptInOrder() const {
    std::vector<NodeId> order;
    for (const NodeId node : graph_.nodes.ids())
      if (keptNodes_[node])
        order.push_back(node);
    return order;
  }

  // Values that no kept node reads or makes.
  void dropValues() {
    Table<ValueId, bool> kept = readValues_;
    for (const Node& node : graph_.nodes)
      for (const NamedValue& output : node.outputs)
        kept[output.value] = true;
    Table<ValueId, Value> values;
    Table<ValueId, ValueId> newId(graph_.values.size());
    for (const ValueId old : graph_.values.ids())
      if (kept[old])
        newId[old] = values.add(std::move(graph_.values[old]));
    const auto renumber = [&](ValueId& value) { value = value ? newId[value] : value; };
    for (Value& value : values)
      renumber(value.feedbackOf);
    for (Node& node : graph_.nodes)
      forEachValue(node, renumber);
    graph_.values = std::move(values);
  }

  NodeGraph& graph_;
  Table<ValueId, bool> readValues_;
  Table<NodeId, bool> keptNodes_;
  std::vector<NodeId> open_;  // kept nodes whose inputs are still to be followed
};

}  // namespace

NodeGraph cull(NodeGraph graph) {
  Culler(graph).run();
  return graph;
}

}  // namespace lacuna
