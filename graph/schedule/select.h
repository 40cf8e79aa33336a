#pragma once
// The schedule of each filter, and the reason: a pure function of its candidates, the device and the
// measurements. `auto` takes the exact candidate with the least milliseconds: measured on this device if
// there are measurements (`lacuna tune`), else by its maker's estimate (for a short run with compile time),
// else the first that suits the device. Schedules that the device can't run are omitted with their reason.

#include <map>
#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "graph/schedule/maker.h"

namespace lacuna {

// Names of schedules by node ("atrous-guided:01:levels") or module instance ("eaw:01"); "" is for every
// filter that knows the name.
using ForcedSchedules = std::map<std::string, std::string>;

struct Selection {
  FilterSchedulePtr schedule;  // null if an error was reported
  FilterChoice choice;
};

// Selects the schedule of a filter (hasSchedules()). Reports names that no filter has, and schedules that the
// device refuses.
Selection selectSchedule(const Filter& filter, const ForcedSchedules& forced, const FilterKnowledge& known,
                         Diagnostics& diagnostics);

// A graph whose filters have their schedules.
struct Plan {
  NodeGraph graph;
  Table<NodeId, FilterSchedulePtr> schedules;  // null if a node is not a filter
  std::vector<FilterChoice> choices;           // a filter each
};

std::string print(const std::vector<FilterChoice>& choices);
std::string print(const Plan& plan);

Plan select(NodeGraph graph, const DeviceModel& device, const ForcedSchedules& forced, const Knowledge& known,
            Diagnostics& diagnostics);

// Whether `auto` may take a candidate, and knows its time.
bool isMeasured(const ScheduleCandidate& candidate);

// The meaning of a user's word for `tune`: the schedules to time, of which the device can run at least the
// first; for searched filters, the families to search in. Both are empty if the filter has no schedule of
// this name.
struct MeantSchedules {
  std::vector<std::string> schedules;
  std::vector<std::string> searched;
};
MeantSchedules meantBy(const Filter& filter, const std::string& word);

}  // namespace lacuna
