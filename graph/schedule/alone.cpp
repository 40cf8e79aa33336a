#include "graph/schedule/maker.h"

#include <map>

#include "graph/passes/pass_builder.h"

namespace lacuna {

NodeGraph aloneGraph(const NodeGraph& graph, const Node& node) {
  NodeGraph alone;
  alone.nodes.push_back(node);
  std::map<ValueId, ValueId> places;
  forEachValue(alone.nodes.front(), [&](ValueId& value) {
    if (!value) {
      return;
    }
    const auto [place, fresh] = places.emplace(value, ValueId{});
    if (fresh) {
      place->second = alone.values.add(graph.values[value]);
      alone.values.back().feedbackOf = {};
    }
    value = place->second;
  });
  return alone;
}

Passes passesAlone(const NodeGraph& alone, const FilterSchedule& schedule, const DeviceModel& device) {
  PassBuilder builder(alone, placeValues(alone, {schedule.wantsImages()}, device));
  schedule.addPasses(builder, NodeId(0), device);
  return builder.finish();
}

uint64_t floorBytes(const NodeGraph& graph, const Node& node) {
  uint64_t bytes = 0;
  for (const auto* ends : {&node.inputs, &node.outputs}) {
    for (const NamedValue& end : *ends) {
      bytes += end.value ? byteSize(graph.values[end.value].type) : 0;
    }
  }
  return bytes;
}

}  // namespace lacuna
