#include "graph/schedule/alone.h"

#include <map>

#include "graph/passes/pass_builder.h"
#include "graph/passes/place_values.h"

namespace lacuna {

NodeGraph aloneGraph(const NodeGraph& graph, const Node& node) {
  NodeGraph alone;
  alone.nodes.push_back(node);
  std::map<int, int> places;
  forEachValue(alone.nodes.front(), [&](int& value) {
    if (value == noValue) {
      return;
    }
    const auto [place, fresh] = places.emplace(value, static_cast<int>(alone.values.size()));
    if (fresh) {
      alone.values.push_back(graph.values[static_cast<size_t>(value)]);
      alone.values.back().feedbackOf = noValue;
    }
    value = place->second;
  });
  return alone;
}

Passes passesAlone(const NodeGraph& alone, const FilterSchedule& schedule, const DeviceModel& device) {
  PassBuilder builder(alone, placeValues(alone, {schedule.wantsImages()}, device));
  schedule.addPasses(builder, 0, device);
  return builder.finish();
}

uint64_t floorBytes(const NodeGraph& graph, const Node& node) {
  uint64_t bytes = 0;
  for (const auto* ends : {&node.inputs, &node.outputs}) {
    for (const NamedValue& end : *ends) {
      bytes += end.value == noValue ? 0 : byteSize(graph.values[static_cast<size_t>(end.value)].type);
    }
  }
  return bytes;
}

}  // namespace lacuna
