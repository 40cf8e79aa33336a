#pragma once
// Where the values of a graph lie: buffers, but images where a chain's schedule wants them or where a storage
// buffer can't hold them. What a shader in SPIR-V sees is always a buffer.

#include <vector>

#include "graph/passes/schedule.h"
#include "graph/schedule/device_model.h"

namespace lacuna {

// A node each: `stencils` counts for stencils, `kernels` for kernels with variants.
struct NodeSchedules {
  std::vector<StencilSchedule> stencils;
  std::vector<KernelSchedule> kernels;
};

std::vector<ResourceKind> placeValues(const NodeGraph& graph, const NodeSchedules& schedules,
                                      const DeviceModel& device);

}  // namespace lacuna
