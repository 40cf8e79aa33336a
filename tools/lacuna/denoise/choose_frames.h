#pragma once
// The frames of each input that are denoised, and whether their files exist.

#include <string>
#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Sets DenoiseJob::frames, from --frames or from what was named. Missing files are treated as in `lacuna run`
// (graph/load/file_numbers.h), but all inputs are checked before the first one runs. Adds what is wrong to
// `problems`, a line each.
void chooseFrames(std::vector<DenoiseJob>& jobs, const RunArguments& run, std::vector<std::string>& problems);

}  // namespace lacuna
