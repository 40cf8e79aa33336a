#include "graph/schedule/maker.h"

#include <algorithm>
#include <map>

#include "graph/passes/pass_builder.h"
#include "graph/schedule/kernel/kernel_maker.h"
#include "graph/schedule/stencil/stencil_maker.h"

namespace lacuna {

const std::vector<const CandidateMaker*>& candidateMakers() {
  static const StencilMaker stencils;
  static const KernelMaker kernels;
  static const std::vector<const CandidateMaker*> all = {&stencils, &kernels};
  return all;
}

const CandidateMaker* makerOf(const NodeGraph& graph, const Node& node) {
  const auto& all = candidateMakers();
  const auto found =
      std::ranges::find_if(all, [&](const CandidateMaker* maker) { return maker->makesFor(graph, node); });
  return found == all.end() ? nullptr : *found;
}

NodeGraph aloneGraph(const NodeGraph& graph, const Node& node) {
  NodeGraph alone;
  alone.nodes.push_back(node);
  std::map<ValueId, ValueId> places;
  forEachValue(alone.nodes.front(), [&](ValueId& value) {
    if (!value)
      return;
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
  for (const auto* ends : {&node.inputs, &node.outputs})
    for (const NamedValue& end : *ends)
      bytes += end.value ? byteSize(graph.values[end.value].type) : 0;
  return bytes;
}

}  // namespace lacuna
