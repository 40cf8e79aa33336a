#pragma once
// Files whose names differ in a number become a sequence.

#include <string>
#include <vector>

#include "tools/lacuna/denoise/inputs.h"

namespace lacuna {

// A step of findInputs(). Numbers of a sequence have all the same padding: shot_8 to shot_11, or shot_0008 to
// shot_10000. A sequence takes the place of its first file. Adds what is wrong to `messages`.
std::vector<DenoiseInput> joinSequences(std::vector<DenoiseInput> inputs, bool sums, InputMessages& messages);

}  // namespace lacuna
