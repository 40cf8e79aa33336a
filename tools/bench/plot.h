#pragma once
// A table as an SVG file: curves over its first column, or a bar for each row.

#include "tools/timing/result_table.h"

namespace lacuna {

std::string plot(const ResultTable& table);

}  // namespace lacuna
