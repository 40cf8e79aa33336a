#pragma once
// Figures of Dolp, Hanika, Dachsbacher 2024, section 4.2, beside those of measured schedules.

#include <vector>

#include "tools/timing/result_table.h"

namespace lacuna {

// "filter", "size" and a third column.
std::vector<Column> firstColumns(const char* name, const char* value);

// `rows`: of measured schedules. A row for each figure whose filter and schedules were measured.
ResultTable paperTable(const Json& rows);

}  // namespace lacuna
