#pragma once
// Files that `lacuna denoise` must not replace.

#include <string>
#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Adds to `problems`, a line each: outputs that are inputs, by device and inode (with `mayOverwrite` only
// those of another input, which may not have been read by then).
void checkFiles(const std::vector<DenoiseJob>& jobs, bool mayOverwrite, std::vector<std::string>& problems);

}  // namespace lacuna
