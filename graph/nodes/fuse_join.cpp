#include "graph/nodes/fuse_join.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "graph/device_model.h"

namespace lacuna {
namespace {

bool lists(const std::vector<NamedValue>& list, int value) {
  return std::any_of(list.begin(), list.end(), [&](const NamedValue& each) { return each.value == value; });
}

// Nodes whose values this one needs in the same frame.
std::vector<int> producersOf(const NodeGraph& graph, const Node& node) {
  std::vector<int> producers;
  const auto add = [&](int value) {
    if (value != noValue && graph.values[value].producer >= 0)
      producers.push_back(graph.values[value].producer);
  };
  for (const NamedValue& input : node.inputs)
    add(input.value);
  for (const BoundParameter& bound : node.bound)
    add(bound.value);
  return producers;
}

bool dependsOn(const NodeGraph& graph, int node, int wanted, std::set<int>& seen) {
  if (node == wanted)
    return true;
  if (!seen.insert(node).second)
    return false;
  const std::vector<int> producers = producersOf(graph, graph.nodes[node]);
  return std::any_of(producers.begin(), producers.end(),
                     [&](int each) { return dependsOn(graph, each, wanted, seen); });
}

void redirect(PartInput& input, const std::vector<NodePart>& producers, int shift) {
  if (input.part >= 0)
    input.part += shift;
  if (input.value == noValue)
    return;
  for (size_t part = 0; part < producers.size(); ++part)
    for (const NamedValue& output : producers[part].outputs)
      if (output.value == input.value) {
        input.value = noValue;
        input.part = static_cast<int>(part);
        input.output = output.name;
        return;
      }
}

std::vector<NamedValue> joinedInputs(const Node& producer, const Node& consumer) {
  std::vector<NamedValue> all;
  std::set<int> seen;
  for (const auto* inputs : {&producer.inputs, &consumer.inputs})
    for (const NamedValue& input : *inputs)
      if (input.value != noValue && !lists(producer.outputs, input.value) && seen.insert(input.value).second)
        all.push_back(input);
  return all;
}

// What the node can bind in one pass, at most.
struct Bindings {
  uint32_t read = 0, written = 0, bound = 0;
};

Bindings bindingsOf(const Node& node) {
  const auto inputs = static_cast<uint32_t>(node.inputs.size());
  Bindings all{inputs, static_cast<uint32_t>(node.outputs.size()), static_cast<uint32_t>(node.bound.size())};
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

bool isReadOnlyBy(const NodeGraph& graph, int value, int consumer) {
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const bool binds = std::any_of(node.bound.begin(), node.bound.end(),
                                   [&](const BoundParameter& bound) { return bound.value == value; });
    if (binds || (static_cast<int>(n) != consumer && lists(node.inputs, value)))
      return false;
  }
  return std::none_of(graph.values.begin(), graph.values.end(),
                      [&](const Value& next) { return next.feedbackOf == value; });
}

bool meetBetween(const NodeGraph& graph, int producer, int consumer) {
  std::set<int> seen = {consumer};
  const std::vector<int> producers = producersOf(graph, graph.nodes[consumer]);
  return std::any_of(producers.begin(), producers.end(),
                     [&](int each) { return each != producer && dependsOn(graph, each, producer, seen); });
}

bool fitTogether(const NodeGraph& graph, int producer, int consumer, const DeviceModel& device) {
  const Bindings a = bindingsOf(graph.nodes[producer]);
  const Bindings b = bindingsOf(graph.nodes[consumer]);
  const uint32_t read = a.read + b.read;
  const uint32_t written = a.written + b.written;
  return read + written + a.bound + b.bound <= device.maxBindings[0] && read <= device.maxBindings[1] &&
         written <= device.maxBindings[2];
}

void join(NodeGraph& graph, int producerIndex, int consumerIndex) {
  Node& producer = graph.nodes[producerIndex];
  Node& consumer = graph.nodes[consumerIndex];
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
      if (output.value == noValue)
        continue;
      if (isReadOnlyBy(graph, output.value, consumerIndex)) {
        output.value = noValue;
      } else {
        joined.outputs.push_back(output);
        graph.values[output.value].producer = consumerIndex;
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
  std::vector<int> order;
  std::vector<bool> placed(graph.nodes.size(), false);
  while (order.size() < graph.nodes.size())
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const std::vector<int> producers = producersOf(graph, graph.nodes[n]);
      if (!placed[n] && std::all_of(producers.begin(), producers.end(), [&](int p) { return placed[p]; })) {
        placed[n] = true;
        order.push_back(static_cast<int>(n));
      }
    }
  std::vector<Node> nodes;
  std::vector<int> newIndex(order.size());
  for (const int old : order) {
    newIndex[old] = static_cast<int>(nodes.size());
    nodes.push_back(std::move(graph.nodes[old]));
  }
  for (Value& value : graph.values)
    value.producer = value.producer < 0 ? -1 : newIndex[value.producer];
  graph.nodes = std::move(nodes);
}

}  // namespace lacuna
