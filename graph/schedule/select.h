#pragma once
// Which schedule each filter gets, and why: a pure function of its candidates, the device and what was
// measured. `auto` takes the exact candidate of the least milliseconds: measured on this device where any was
// (`lacuna tune`), else as its maker estimates (of a short run with what compiling takes), else the first
// that suits the device. What a device can't run is left out with its reason.

#include <map>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "graph/schedule/maker.h"

namespace lacuna {

// Schedule names by node ("atrous-guided:01:levels") or module instance ("eaw:01"); "" is for every filter
// that knows the name.
using ForcedSchedules = std::map<std::string, std::string>;

struct Selection {
  FilterSchedulePtr schedule;  // null where an error was reported
  FilterPlan choice;
};

// Selects the schedule of a filter (hasSchedules()). Reports names that are no schedule of any filter that
// they are for, and schedules that the device refuses.
Selection selectSchedule(const Filter& filter, const ForcedSchedules& forced, const FilterKnowledge& known,
                         Diagnostics& diagnostics);

// A graph whose filters have their schedules.
struct Plan {
  NodeGraph graph;
  Table<NodeId, FilterSchedulePtr> schedules;  // null where a node is not a filter
  std::vector<FilterPlan> choices;             // a filter each
};

std::string print(const std::vector<FilterPlan>& choices);
std::string print(const Plan& plan);

Plan select(NodeGraph graph, const DeviceModel& device, const ForcedSchedules& forced, const Knowledge& known,
            Diagnostics& diagnostics);

// Whether `auto` may take a candidate, and has a time of it.
bool isMeasured(const ScheduleCandidate& candidate);

// What a user's word for `tune` means: those to time, of which the device can run at least the first; where
// the filter's schedules are searched, families to search in. Both empty: no schedule of the filter is called
// so.
struct MeantSchedules {
  std::vector<std::string> schedules;
  std::vector<std::string> searched;
};
MeantSchedules meantBy(const Filter& filter, const std::string& word);

}  // namespace lacuna
