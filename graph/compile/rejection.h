#pragma once

#include <string>

#include "graph/compile/device_model.h"
#include "graph/compile/schedule.h"

namespace lacuna {

// Why the device can't run a chain so; empty: it can.
std::string rejection(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                      const DeviceModel& device);

// Why the device can't run a kernel so, or its variant is not for this graph; empty: it can.
std::string rejection(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                      const DeviceModel& device);

}  // namespace lacuna
