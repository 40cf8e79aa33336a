#pragma once
// Which schedule each stencil chain gets, and why. `auto` is the candidate of the least milliseconds:
// measured on this device where they were (`lacuna tune`), else by the cost model.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "graph/compile/device_model.h"
#include "graph/compile/filter_work.h"
#include "graph/compile/rejection.h"
#include "graph/compile/schedule.h"

namespace lacuna {

// Schedule names by node ("atrous-guided:01:levels") or module instance ("eaw:01"); "" is for every chain.
using ForcedSchedules = std::map<std::string, std::string>;

struct MeasuredSchedule {
  std::string schedule;
  double ms = 0.0;
};

// What is known of a chain beside the graph.
struct ChainKnowledge {
  FilterWork work;
  std::vector<MeasuredSchedule> measured;  // on this device, for images of this size; empty: never
  std::string date;                        // of that
};
// Called with the graph as it is laid out.
using KnowChain = std::function<ChainKnowledge(const NodeGraph& graph, const Node& node)>;

struct Chosen {
  StencilSchedule schedule;
  Choice choice;
};

// Reports names that mean no schedule, and forced schedules that the device refuses.
Chosen chooseSchedule(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                      const ForcedSchedules& forced, const ChainKnowledge& known, Diagnostics& diagnostics);

}  // namespace lacuna
