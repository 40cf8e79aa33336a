#pragma once
// What is wrong with the ray histograms that `lacuna denoise` would filter by.

#include <string>
#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Of files with histograms and of frames that make them; adds a line each to `problems`.
void checkHistograms(const std::vector<DenoiseJob>& jobs, const std::string& histogram,
                     std::vector<std::string>& problems);

}  // namespace lacuna
