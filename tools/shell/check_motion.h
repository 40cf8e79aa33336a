#pragma once
// Motion vectors that lead nowhere: history would be rejected nearly everywhere, without a word.

#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// Warns, for sources of EXR files whose motion is connected, where it is read in another convention than the
// files' own, or fits none. Compares two neighbouring files; says nothing where that can't be done. `frames`:
// those that will be run, ascending.
void checkMotion(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics);

}  // namespace lacuna
