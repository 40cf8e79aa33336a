#pragma once
// Which schedule each stencil chain gets, and why. Until chains are measured and costs modelled, `auto`
// follows the measurements in graph/README.md: register blocking on buffers for CPU devices; on GPUs register
// blocking for light taps and permuted shared tiles for heavy ones.

#include <map>
#include <string>

#include "graph/compile/device_model.h"
#include "graph/compile/rejection.h"
#include "graph/compile/schedule.h"

namespace lacuna {

// Schedule names by node ("atrous-guided:01:levels") or module instance ("eaw:01"); "" is for every chain.
using ForcedSchedules = std::map<std::string, std::string>;

struct Chosen {
  StencilSchedule schedule;
  Choice choice;
};

// Reports names that mean no schedule, and forced schedules that the device refuses.
Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& forced, Diagnostics& diagnostics);

}  // namespace lacuna
