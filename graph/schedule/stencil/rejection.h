#pragma once

#include <string>

#include "graph/device_model.h"
#include "graph/families/stencil_schedule.h"

namespace lacuna {

// Why the device can't run a chain so; empty if it can.
std::string rejection(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                      const DeviceModel& device);

}  // namespace lacuna
