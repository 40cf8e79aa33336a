#pragma once
// The output files of `lacuna denoise`.

#include <string>
#include <vector>

#include "tools/lacuna/denoise/inputs.h"

namespace lacuna {

// A pattern for sinks' file names for each input, with a number only for sequences. `output` is a file's
// name, if there is one still, or frames that are summed; a name with %04d or ####, if there is one sequence;
// a folder, there or with / at its end: the inputs' names in it, and their folders where ** found them; or a
// name with {stem} (an input's name without extension), {ext}, {name} (both) or {folder} in it. Adds what is
// wrong to `problems`, a line each.
std::vector<std::string> nameOutputs(const std::string& output, const std::vector<DenoiseInput>& inputs,
                                     std::vector<std::string>& problems);

}  // namespace lacuna
