#pragma once
// Figures of other programs, to stand beside ours: files as tools/bench/README.md describes them.

#include <string>
#include <vector>

#include "tools/bench/columns.h"

namespace lacuna {

// A row a figure, with its set's device, driver, date and source. Throws FileError, which names what is wrong
// with a file.
std::vector<Json> readBeside(const std::vector<std::string>& paths);

// Figures from the report's device, of several that do the same the fastest; with "schedule", "ourMs" and
// "ratio" of our row of the same filter and size: that of the same schedule, where there is one, else our
// fastest.
Json placeBeside(const std::vector<Json>& figures, const Json& report);

}  // namespace lacuna
