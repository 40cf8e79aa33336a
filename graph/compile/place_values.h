#pragma once
// Where the values of a graph lie: buffers, but images where a chain's schedule wants them or where a storage
// buffer can't hold them. What a shader in SPIR-V sees is always a buffer.

#include <vector>

#include "graph/compile/device_model.h"
#include "graph/compile/stencil_schedule.h"

namespace lacuna {

// `schedules`: a node each; only those of stencils count.
std::vector<ResourceKind> placeValues(const NodeGraph& graph, const std::vector<StencilSchedule>& schedules,
                                      const DeviceModel& device);

}  // namespace lacuna
