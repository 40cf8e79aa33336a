#pragma once
// Waits for the first files of a sequence that another program is about to write.

#include <string>
#include <vector>

#include "tools/lacuna/commands.h"

namespace lacuna {

// With --missing wait: waits for files that are named, and for the first two of each sequence, by which its
// method and the convention of its motion are chosen. Adds mistakes to `problems`, a line each.
void awaitFiles(const DenoiseArguments& arguments, std::vector<std::string>& problems);

}  // namespace lacuna
