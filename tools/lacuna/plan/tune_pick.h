#pragma once
// `tune`: which schedules of a graph's filters are timed.

#include <optional>
#include <string>
#include <vector>

#include "graph/run/tune/tune.h"

namespace lacuna {

// Words of --schedule, NAME or module:instance=NAME, by module instance ("": any).
using WantedSchedules = std::map<std::string, std::vector<std::string>>;

// Prints what is wrong with the words; nullopt then.
std::optional<WantedSchedules> wantedSchedules(const std::vector<std::string>& words, const NodeGraph& graph);

// Where nothing is wanted of a filter: all candidates that `auto` may take and, of what is searched, what
// lies around the best of them. Else what is wanted (meantBy()), and the one that would be taken otherwise,
// so that measuring a few never makes `auto` worse. `choice`: what `auto` takes.
FilterPick pickSchedules(const Filter& filter, const Choice& choice, const WantedSchedules& wanted);

}  // namespace lacuna
