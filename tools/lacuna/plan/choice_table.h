#pragma once
// The table that `plan` prints: each filter's possible schedules, and the chosen one.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/lacuna.h"

namespace lacuna {

// The best first, the chosen one marked, the rejected ones below with their reasons. `all`: every candidate,
// not only the best of each family.
std::string choiceTable(const FilterPlan& filter, bool all);
nlohmann::ordered_json choiceJson(const FilterPlan& filter);

}  // namespace lacuna
