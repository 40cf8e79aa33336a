#pragma once
// Which schedule each filter gets, and why. `auto` is what takes the least milliseconds: measured on this
// device where that was done (`lacuna tune`); else, for stencil chains, by the cost model, and for kernels
// the first variant that its module has for the device.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/passes/schedule.h"
#include "graph/schedule/device_model.h"
#include "graph/schedule/filter_work.h"

namespace lacuna {

// Schedule names by node ("atrous-guided:01:levels") or module instance ("eaw:01"); "" is for every filter.
using ForcedSchedules = std::map<std::string, std::string>;

struct MeasuredSchedule {
  std::string schedule;
  double ms = 0.0;
};

// What is known of a filter beside the graph.
struct FilterKnowledge {
  FilterWork work;                         // of a stencil
  std::vector<MeasuredSchedule> measured;  // on this device, for images of this size; empty: never
  std::string date;                        // of that
};
// Called with the graph as it is laid out.
using KnowFilter = std::function<FilterKnowledge(const NodeGraph& graph, const Node& node)>;

// A stencil chain, or a kernel that has variants.
bool hasSchedules(const NodeGraph& graph, const Node& node);

struct Chosen {
  StencilSchedule schedule;
  Choice choice;
};

// Reports names that mean no schedule, and forced schedules that the device refuses.
Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& forced, const FilterKnowledge& known, Diagnostics& diagnostics);

struct ChosenKernel {
  KernelSchedule schedule;
  Choice choice;
};

// The same for a kernel that has variants. Schedules that are not exact are never `auto`. A name for every
// filter that means none of the kernel's leaves it at `auto`.
ChosenKernel chooseKernel(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                          const ForcedSchedules& forced, const FilterKnowledge& known,
                          Diagnostics& diagnostics);

}  // namespace lacuna
