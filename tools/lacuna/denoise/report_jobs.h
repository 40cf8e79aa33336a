#pragma once
// The lines that `lacuna denoise` prints about its inputs before it runs.

#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

void say(const DenoiseArguments& arguments, const std::string& text);  // unless -q or --json
std::string shownName(const DenoiseInput& input);

// A line for all that are alike: "a.png and 479 more: photograph, by edge-avoiding wavelets (eaw)".
void sayMethods(const DenoiseArguments& arguments, const std::vector<DenoiseJob>& jobs);
// Names the layers of a file that stay as they are: a warning for view layers, a line for layers of colour.
void reportLayers(const DenoiseArguments& arguments, const DenoiseJob& job);
// Measures the convention of a sequence's motion, because the effect of a wrong one is easily missed.
void findMotion(const DenoiseArguments& arguments, DenoiseJob& job);

}  // namespace lacuna
