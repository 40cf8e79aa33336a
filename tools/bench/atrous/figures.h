#pragma once
// Other figures beside those of measured schedules: those of Dolp, Hanika, Dachsbacher 2024, section 4.2, and
// of other programs, in files as in tools/bench/README.md.

#include <string>
#include <vector>

#include "tools/timing/result_table.h"

namespace lacuna {

// "filter", "size" and a third column.
std::vector<Column> firstColumns(const char* name, const char* value);

// `rows`: of measured schedules. A row for each figure whose filter and schedules were measured.
ResultTable paperTable(const Json& rows);

// A row for each figure, with its set's device, driver, date and source. Throws FileError, which names the
// mistake in a file.
Json readBeside(const std::vector<std::string>& paths);

// The figures of a device, a row each, and of several for the same schedule the fastest. "schedule", "ourMs"
// and "ratio" are those of our row of the same filter and size: with the same schedule, if there is one, else
// our fastest.
ResultTable besideTable(const Json& figures, const std::string& device, const Json& rows);

}  // namespace lacuna
