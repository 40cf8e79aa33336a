#include "graph/nodes/fuse_join.h"

#include <algorithm>
#include <set>

#include "graph/device_model.h"
#include "graph/nodes/not_finite_counter.h"

namespace lacuna {
namespace {

bool lists(const std::vector<NamedValue>& list, ValueId value) {
  return std::ranges::any_of(list, [&](const NamedValue& each) { return each.value == value; });
}

// Nodes whose values this one needs in the same frame.
std::vector<NodeId> producersOf(const NodeGraph& graph, const Node& node) {
  std::vector<NodeId> producers;
  const auto add = [&](ValueId value) {
    if (value && graph.values[value].producer)
      producers.push_back(graph.values[value].producer);
  };
  for (const NamedValue& input : node.inputs)
    add(input.value);
  for (const BoundParameter& bound : node.bound)
    add(bound.value);
  return producers;
}

bool dependsOn(const NodeGraph& graph, NodeId node, NodeId wanted, std::set<NodeId>& seen) {
  if (node == wanted)
    return true;
  if (!seen.insert(node).second)
    return false;
  const std::vector<NodeId> producers = producersOf(graph, graph.nodes[node]);
  return std::ranges::any_of(producers, [&](NodeId each) { return dependsOn(graph, each, wanted, seen); });
}

void redirect(PartInput& input, const std::vector<NodePart>& producers, int shift) {
  if (input.part >= 0)
    input.part += shift;
  if (!input.value)
    return;
  for (size_t part = 0; part < producers.size(); ++part)
    for (const NamedValue& output : producers[part].outputs)
      if (output.value == input.value) {
        input.value = {};
        input.part = static_cast<int>(part);
        input.output = output.name;
        return;
      }
}

std::vector<NamedValue> joinedInputs(const Node& producer, const Node& consumer) {
  std::vector<NamedValue> all;
  std::set<ValueId> seen;
  for (const auto* inputs : {&producer.inputs, &consumer.inputs})
    for (const NamedValue& input : *inputs)
      if (input.value && !lists(producer.outputs, input.value) && seen.insert(input.value).second)
        all.push_back(input);
  return all;
}

// The most that the node can bind in one pass.
struct Bindings {
  uint32_t read = 0, written = 0, bound = 0;
};

Bindings bindingsOf(const NodeGraph& graph, const Node& node) {
  const auto inputs = static_cast<uint32_t>(node.inputs.size());
  Bindings all{inputs, static_cast<uint32_t>(node.outputs.size()),
               static_cast<uint32_t>(node.bound.size()) + counterCount(graph, node)};
  if (node.kind == NodeKind::stencil) {
    const StencilDescription& stencil = node.description->stencil;
    all.read += stencil.synthesis ? static_cast<uint32_t>(node.levels) + 1 : 1;
    all.written += 2 + static_cast<uint32_t>(stencil.features.size());
  }
  return all;
}

}  // namespace

bool mayJoin(const Node& node) {
  return node.kind == NodeKind::pointwise && node.description->footprint.kind == FootprintKind::local;
}

bool isReadOnlyBy(const NodeGraph& graph, ValueId value, NodeId consumer) {
  for (const NodeId id : graph.nodes.ids()) {
    const Node& node = graph.nodes[id];
    const bool binds =
        std::ranges::any_of(node.bound, [&](const BoundParameter& bound) { return bound.value == value; });
    if (binds || (id != consumer && lists(node.inputs, value)))
      return false;
  }
  return std::ranges::none_of(graph.values, [&](const Value& next) { return next.feedbackOf == value; });
}

bool meetBetween(const NodeGraph& graph, NodeId producer, NodeId consumer) {
  std::set<NodeId> seen = {consumer};
  const std::vector<NodeId> producers = producersOf(graph, graph.nodes[consumer]);
  return std::ranges::any_of(
      producers, [&](NodeId each) { return each != producer && dependsOn(graph, each, producer, seen); });
}

bool fitTogether(const NodeGraph& graph, NodeId producer, NodeId consumer, const DeviceModel& device) {
  const Bindings a = bindingsOf(graph, graph.nodes[producer]);
  const Bindings b = bindingsOf(graph, graph.nodes[consumer]);
  const uint32_t read = a.read + b.read;
  const uint32_t written = a.written + b.written;
  return read + written + a.bound + b.bound <= device.maxBindings[0] && read <= device.maxBindings[1] &&
         written <= device.maxBindings[2];
}

void join(NodeGraph& graph, NodeId producerId, NodeId consumerId) {
  Node& producer = graph.nodes[producerId];
  Node& consumer = graph.nodes[consumerId];
  const int shift = static_cast<int>(producer.parts.size());
  const bool first = producer.kind == NodeKind::stencil;
  Node joined = first ? producer : consumer;
  joined.own = first ? producer.own : consumer.own + shift;
  if (joined.kind == NodeKind::pointwise)
    joined.name = producer.name + "+" + consumer.name;
  for (NodePart& part : consumer.parts)
    for (PartInput& input : part.inputs)
      redirect(input, producer.parts, shift);
  joined.inputs = joinedInputs(producer, consumer);
  joined.outputs.clear();
  for (NodePart& part : producer.parts)
    for (NamedValue& output : part.outputs) {
      if (!output.value)
        continue;
      if (isReadOnlyBy(graph, output.value, consumerId)) {
        output.value = {};
      } else {
        joined.outputs.push_back(output);
        graph.values[output.value].producer = consumerId;
      }
    }
  joined.outputs.insert(joined.outputs.end(), consumer.outputs.begin(), consumer.outputs.end());
  joined.parts = std::move(producer.parts);
  joined.parts.insert(joined.parts.end(), consumer.parts.begin(), consumer.parts.end());
  joined.bound = std::move(producer.bound);
  for (BoundParameter bound : consumer.bound) {
    bound.part += shift;
    joined.bound.push_back(bound);
  }
  consumer = std::move(joined);
  producer.parts.clear();
  producer.inputs.clear();
  producer.outputs.clear();
  producer.bound.clear();
}

void sortNodes(NodeGraph& graph) {
  std::vector<NodeId> order;
  Table<NodeId, bool> placed(graph.nodes.size(), false);
  while (order.size() < graph.nodes.size())
    for (const NodeId node : graph.nodes.ids()) {
      const std::vector<NodeId> producers = producersOf(graph, graph.nodes[node]);
      if (!placed[node] && std::ranges::all_of(producers, [&](NodeId p) { return placed[p]; })) {
        placed[node] = true;
        order.push_back(node);
      }
    }
  arrangeNodes(graph, order);
}

}  // namespace lacuna
