#pragma once
// The storage of a graph's values: buffers, or images if a chain's schedule wants them or a storage buffer
// can't hold them. A value of a SPIR-V shader is always a buffer.

#include "graph/device_model.h"
#include "graph/passes/pass.h"

namespace lacuna {

// `wantsImages`: whether the schedule of the node, a filter, does.
Table<ValueId, ResourceKind> placeValues(const NodeGraph& graph, const Table<NodeId, bool>& wantsImages,
                                         const DeviceModel& device);

}  // namespace lacuna
