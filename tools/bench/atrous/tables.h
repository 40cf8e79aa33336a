#pragma once
// The tables of `lacuna bench atrous`. Times are milliseconds.

#include "tools/bench/columns.h"

namespace lacuna {

std::string atrousHead(const Json& report);
const std::vector<Column>& atrousColumns();
std::string atrousSummary(const Json& summaries);
// Each family's fastest schedule, level by level: figure 9 of Dolp, Hanika, Dachsbacher 2024.
std::string atrousLevels(const Json& rows);
std::string atrousBeside(const Json& beside);

}  // namespace lacuna
