#include "graph/nodes/rewrites.h"

#include <algorithm>

#include "graph/nodes/fuse_join.h"

namespace lacuna {
namespace {

// A producer of this node that may join it, if there is one.
NodeId joinable(const NodeGraph& graph, NodeId consumer, const DeviceModel& device) {
  if (!mayJoin(graph.nodes[consumer]))
    return {};
  for (const NamedValue& input : graph.nodes[consumer].inputs) {
    const NodeId producer = input.value ? graph.values[input.value].producer : NodeId{};
    if (!producer || !mayJoin(graph.nodes[producer]))
      continue;
    const std::vector<NamedValue>& outputs = graph.nodes[producer].outputs;
    const bool alone = std::ranges::all_of(
        outputs, [&](const NamedValue& output) { return isReadOnlyBy(graph, output.value, consumer); });
    if (alone && fitTogether(graph, producer, consumer, device))
      return producer;
  }
  return {};
}

}  // namespace

void fusePointwise(NodeGraph& graph, const DeviceModel& device) {
  for (const NodeId node : graph.nodes.ids())
    while (const NodeId producer = joinable(graph, node, device))
      join(graph, producer, node);
}

NodeGraph fuse(NodeGraph graph, const DeviceModel& device) {
  fusePointwise(graph, device);
  fuseEpilogues(graph, device);
  fusePrologues(graph, device);
  sortNodes(graph);
  return cull(std::move(graph));
}

}  // namespace lacuna
