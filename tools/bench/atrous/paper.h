#pragma once
// Our figures beside those of Dolp, Hanika, Dachsbacher 2024, section 4.2.

#include "tools/timing/result_table.h"

namespace lacuna {

// `rows`: of measured schedules. A row for each figure whose filter and schedules were measured.
ResultTable paperTable(const Json& rows);

}  // namespace lacuna
