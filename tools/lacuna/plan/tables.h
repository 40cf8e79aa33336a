#pragma once
// The tables that `lacuna plan` prints.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/lacuna.h"

namespace lacuna {

// Each filter's possible schedules: the best first, the chosen one marked, the rejected ones below with their
// reasons. `all`: every candidate, not only the best of each family.
std::string choiceTable(const FilterPlan& filter, bool all);
nlohmann::ordered_json choiceJson(const FilterPlan& filter);

// A plan on one screen: a line for each filter, a row for each node.
std::string planTable(const GraphPlan& plan);

}  // namespace lacuna
