#include <algorithm>

#include "graph/nodes/fuse_join.h"

namespace lacuna {
namespace {

// A producer of this node that may join it; -1: none.
int joinable(const NodeGraph& graph, int consumer, const DeviceModel& device) {
  if (!mayJoin(graph.nodes[consumer]))
    return -1;
  for (const NamedValue& input : graph.nodes[consumer].inputs) {
    const int producer = input.value == noValue ? -1 : graph.values[input.value].producer;
    if (producer < 0 || !mayJoin(graph.nodes[producer]))
      continue;
    const std::vector<NamedValue>& outputs = graph.nodes[producer].outputs;
    const bool alone = std::all_of(outputs.begin(), outputs.end(), [&](const NamedValue& output) {
      return isReadOnlyBy(graph, output.value, consumer);
    });
    if (alone && fitTogether(graph, producer, consumer, device))
      return producer;
  }
  return -1;
}

}  // namespace

void fusePointwise(NodeGraph& graph, const DeviceModel& device) {
  for (int n = 0; n < static_cast<int>(graph.nodes.size()); ++n) {
    int producer = joinable(graph, n, device);
    while (producer >= 0) {
      join(graph, producer, n);
      producer = joinable(graph, n, device);
    }
  }
}

}  // namespace lacuna
