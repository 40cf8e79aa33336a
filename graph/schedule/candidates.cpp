#include "graph/schedule/candidates.h"

#include <algorithm>
#include <map>

#include "graph/passes/pass_builder.h"
#include "graph/passes/place_values.h"
#include "graph/schedule/rejection.h"

namespace lacuna {
namespace {

// The baseline stays as plain as it is: the others are measured against it.
StencilSchedule onDevice(StencilSchedule schedule, const DeviceModel& device) {
  const bool plain = device.cpu || schedule.family == Family::baseline;
  const bool direct = schedule.family == Family::rows || schedule.family == Family::permuted ||
                      schedule.family == Family::fused;  // its later levels
  const bool even = schedule.workgroup[0] % 2 == 0 && schedule.workgroup[1] % 2 == 0;
  schedule.splitsBorders = !plain && device.subgroupVote && schedule.family != Family::permuted;
  schedule.quads = !plain && direct && even && schedule.storage == ResourceKind::image;
  return schedule;
}

ChainCandidate candidate(const NodeGraph& alone, const StencilSchedule& schedule, const DeviceModel& device) {
  ChainCandidate made;
  made.schedule = onDevice(schedule, device);
  made.told.schedule = print(schedule);
  made.told.family = name(schedule.family);
  made.told.exact = schedule.exact();
  made.told.rejected = rejection(alone, alone.nodes.front(), schedule, device);
  if (made.told.rejected.empty()) {
    made.passes = layoutAlone(alone, made.schedule, device).passes;
    made.told.passes = static_cast<int>(made.passes.size());
    for (const Pass& pass : made.passes) {
      made.told.bytes += pass.bytesRead + pass.bytesWritten;
    }
  }
  return made;
}

}  // namespace

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

Schedule layoutAlone(const NodeGraph& alone, const StencilSchedule& schedule, const DeviceModel& device) {
  PassBuilder builder(alone, placeValues(alone, {{schedule}, {KernelSchedule{}}}, device));
  layoutStencil(builder, 0, schedule);
  return builder.finish();
}

Schedule layoutAlone(const NodeGraph& alone, const KernelSchedule& schedule, const DeviceModel& device) {
  PassBuilder builder(alone, placeValues(alone, {{StencilSchedule{}}, {schedule}}, device));
  layoutKernel(builder, 0, schedule, device);
  return builder.finish();
}

std::vector<ChainCandidate> chainCandidates(const NodeGraph& graph, const Node& node,
                                            const DeviceModel& device,
                                            const std::vector<StencilSchedule>& more) {
  const NodeGraph alone = aloneGraph(graph, node);
  std::vector<ChainCandidate> all;
  for (const StencilSchedule& schedule : allSchedules(node.description->stencil.synthesis)) {
    all.push_back(candidate(alone, schedule, device));
  }
  for (const StencilSchedule& schedule : more) {
    const std::string name = print(schedule);
    if (std::none_of(all.begin(), all.end(),
                     [&](const auto& other) { return other.told.schedule == name; })) {
      all.push_back(candidate(alone, schedule, device));
    }
  }
  return all;
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
