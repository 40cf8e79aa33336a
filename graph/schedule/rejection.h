#pragma once

#include <string>
#include <vector>

#include "graph/passes/schedule.h"
#include "graph/schedule/device_model.h"

namespace lacuna {

// Why the device can't run a chain so; empty: it can.
std::string rejection(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule,
                      const DeviceModel& device);

// Why the device can't run a kernel so, or its variant is not for this graph; empty: it can.
std::string rejection(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                      const DeviceModel& device);

// Of at least one: the first that the device can run, else the first of all.
const KernelSchedule& firstThatFits(const NodeGraph& graph, const Node& node,
                                    const std::vector<KernelSchedule>& schedules, const DeviceModel& device);

}  // namespace lacuna
