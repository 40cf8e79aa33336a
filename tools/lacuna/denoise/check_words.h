#pragma once
// Changes that a shell makes to words before `lacuna denoise` sees them, and names that no graph can hold.

#include <string>
#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// The mistake if `-o *.png` seems to have become `-o a.png b.png c.png`; "" if not. With only one file behind
// a.png this can't be known, unless it is also named as an input.
std::string expandedOutput(const DenoiseArguments& arguments);

// Adds a line for each name with a line break or with bytes that are no UTF-8.
void checkNames(const std::vector<DenoiseJob>& jobs, std::vector<std::string>& problems);

}  // namespace lacuna
