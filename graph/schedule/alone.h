#pragma once
// A filter without the rest of its graph.

#include "graph/passes/pass.h"
#include "graph/schedule/maker.h"

namespace lacuna {

// The node with its values and nothing else, as node 0.
NodeGraph aloneGraph(const NodeGraph& graph, const Node& node);

// Its passes under a schedule that the device does not reject. They are those of the whole graph, up to the
// place of its inputs and outputs (image or buffer), which a neighbour may require.
Passes passesAlone(const NodeGraph& alone, const FilterSchedule& schedule, const DeviceModel& device);

// Bytes of each input read once and each output written once.
uint64_t floorBytes(const NodeGraph& graph, const Node& node);

}  // namespace lacuna
