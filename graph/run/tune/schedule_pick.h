#pragma once
// The schedules of a graph's filters that are timed, among those that a user names.

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

// If nothing is requested for a filter: all candidates that `auto` may take, and for searched filters those
// around the best of them. Otherwise the requested ones (meantBy()), and `auto`'s present choice, so that
// measuring a few never makes `auto` worse. `choice`: what `auto` takes.
FilterPick pickSchedules(const Filter& filter, const FilterPlan& choice, const WantedSchedules& wanted);

}  // namespace lacuna
