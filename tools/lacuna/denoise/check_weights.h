#pragma once
// The weights that `lacuna denoise` is given for cnn-unet.

#include <string>
#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Reads for which planes the file is, into the jobs; adds mistakes to `problems`, a line each. No file:
// nothing is done.
void takeWeights(std::vector<DenoiseJob>& jobs, const std::string& file, std::vector<std::string>& problems);

}  // namespace lacuna
