#pragma once
// Which schedules of a graph's filters are timed, of those that a user names.

#include <map>
#include <string>
#include <vector>

#include "graph/run/tune/tune.h"

namespace lacuna {

// Names by module instance ("": any).
using WantedSchedules = std::map<std::string, std::vector<std::string>>;

// Parses words of --schedule, NAME or module:instance=NAME, and reports mistakes in them.
WantedSchedules wantedSchedules(const std::vector<std::string>& words, const NodeGraph& graph,
                                Diagnostics& diagnostics);

// Where nothing is wanted of a filter: all candidates that `auto` may take and, of what is searched, what
// lies around the best of them. Else what is wanted (meantBy()), and the one that would be taken otherwise,
// so that measuring a few never makes `auto` worse. `choice`: what `auto` takes.
FilterPick pickSchedules(const Filter& filter, const FilterPlan& choice, const WantedSchedules& wanted);

}  // namespace lacuna
