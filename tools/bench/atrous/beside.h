#pragma once
// Figures of other programs, to stand beside ours: files as tools/bench/README.md describes them.

#include <string>
#include <vector>

#include "tools/timing/result_table.h"

namespace lacuna {

// A row a figure, with its set's device, driver, date and source. Throws FileError, which names what is wrong
// with a file.
Json readBeside(const std::vector<std::string>& paths);

// Of figures from a device, a row each; of several that do the same the fastest; with "schedule", "ourMs" and
// "ratio" of our row of the same filter and size: that of the same schedule, where there is one, else our
// fastest.
Json placeBeside(const Json& figures, const std::string& device, const Json& rows);

}  // namespace lacuna
