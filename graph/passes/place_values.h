#pragma once
// Where the values of a graph lie: buffers, but images where a chain's schedule wants them or where a storage
// buffer can't hold them. What a shader in SPIR-V sees is always a buffer.

#include "graph/device_model.h"
#include "graph/passes/pass.h"

namespace lacuna {

// `wantsImages`: whether the schedule of the node, a filter, does.
Table<ValueId, ResourceKind> placeValues(const NodeGraph& graph, const Table<NodeId, bool>& wantsImages,
                                         const DeviceModel& device);

}  // namespace lacuna
