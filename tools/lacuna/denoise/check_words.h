#pragma once
// What a shell makes of words before `lacuna denoise` sees them, and names that no graph can hold.

#include <string>
#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Where `-o *.png` seems to have become `-o a.png b.png c.png`: what is wrong; "": nothing. With one file
// behind a.png nobody can tell, unless it is an input before, too.
std::string expandedOutput(const DenoiseArguments& arguments);

// Adds a line for each name with a line break or with bytes that are no UTF-8.
void checkNames(const std::vector<DenoiseJob>& jobs, std::vector<std::string>& problems);

}  // namespace lacuna
