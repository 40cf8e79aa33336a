#pragma once
// Checks for motion vectors that lead nowhere: history would be rejected nearly everywhere, without a
// warning.

#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// Warns, for sources of EXR files with connected motion, if it is read in a convention other than the
// files' own, or fits none. Compares two neighbouring files; does nothing if that can't be done. `frames`:
// the frames to run, ascending.
void checkMotion(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics);

}  // namespace lacuna
