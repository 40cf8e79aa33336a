#pragma once
// Every schedule that a stencil chain could take, as data: what `auto` chooses from and `plan` shows. Needs:
// a fused NodeGraph, as layout gets it. Bytes and passes are those of a layout of the chain alone, so they
// are exact up to a change of place (image or buffer) that a neighbour's schedule asks for.

#include <vector>

#include "graph/passes/schedule.h"
#include "graph/schedule/device_model.h"

namespace lacuna {

struct ChainCandidate {
  StencilSchedule schedule;  // as it would run on the device
  Candidate told;
  std::vector<Pass> passes;  // none where it is rejected
};

// One for each of allSchedules(), in that order, and for `more` where they are not among them.
std::vector<ChainCandidate> chainCandidates(const NodeGraph& graph, const Node& node,
                                            const DeviceModel& device,
                                            const std::vector<StencilSchedule>& more = {});

// Bytes of each input read once and each output written once.
uint64_t floorBytes(const NodeGraph& graph, const Node& node);

// The node with its values and nothing else, as node 0.
NodeGraph aloneGraph(const NodeGraph& graph, const Node& node);

// Its passes under a schedule that the device does not reject.
Schedule layoutAlone(const NodeGraph& alone, const StencilSchedule& schedule, const DeviceModel& device);
Schedule layoutAlone(const NodeGraph& alone, const KernelSchedule& schedule, const DeviceModel& device);

}  // namespace lacuna
