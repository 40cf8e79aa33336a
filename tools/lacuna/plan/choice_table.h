#pragma once
// `plan`: what each filter could run as, and what it will.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lacuna/lacuna.h"

namespace lacuna {

// The best first, the chosen one marked, the rejected ones below with their reasons. `all`: every candidate,
// not the best of each family alone.
std::string choiceTable(const FilterPlan& filter, bool all);
nlohmann::ordered_json choiceJson(const FilterPlan& filter);

}  // namespace lacuna
