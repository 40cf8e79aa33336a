#pragma once
// The weights that `lacuna denoise` is given for cnn-unet.

#include <string>
#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Reads what the file is for into the jobs; adds a line each to `problems`. No file: nothing is done.
void takeWeights(std::vector<DenoiseJob>& jobs, const std::string& file, std::vector<std::string>& problems);

}  // namespace lacuna
