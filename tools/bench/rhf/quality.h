#pragma once
// `lacuna bench rhf --quality`: what filtering is worth in samples and in time.

#include "tools/bench/lab.h"

namespace lacuna {

// Returns the exit code.
int benchRhfQuality(Lab& lab);

}  // namespace lacuna
