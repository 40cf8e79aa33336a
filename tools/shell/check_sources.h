#pragma once
// Checks of a graph's sources: --missing without numbered files, and motion vectors that lead nowhere:
// history would be rejected nearly everywhere, without a warning.

#include "graph/config/diagnostics.h"
#include "graph/files/frame_set.h"
#include "graph/load/missing.h"

namespace lacuna {

struct ModuleGraph;

// Warns, for sources of EXR files with connected motion, if it is read in a convention other than the
// files' own, or fits none. Compares two neighbouring files; does nothing if that can't be done. `frames`:
// the frames to run, ascending.
void checkMotion(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics);

// Reports --missing if no source has a frame's number in its file name.
void checkMissing(const ModuleGraph& graph, Missing missing, Diagnostics& diagnostics);

}  // namespace lacuna
