#pragma once
// The file of --output, before anything is measured.

#include "tools/bench/benches.h"

namespace lacuna {

// Whether it may be written, and prints why not. "-" becomes --json.
bool takeOutput(BenchArguments& arguments);

}  // namespace lacuna
