#pragma once
// Mistakes in the ray histograms by which `lacuna denoise` would filter.

#include <string>
#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// For files with histograms and for frames that make them; adds a line each to `problems`.
void checkHistograms(const std::vector<DenoiseJob>& jobs, const std::string& histogram,
                     std::vector<std::string>& problems);

}  // namespace lacuna
