#pragma once
// Outputs that would replace something that the same run needs.

#include "graph/nodes/module_graph.h"

namespace lacuna {

// Reports, by device and inode, sinks whose files are inputs of the run: graph files (those that
// `diagnostics` has) and the files of all modules that are no sinks, of numbered files those up to the last
// frame, since frames before the first may have to be computed. With `mayOverwrite` only those that a later
// frame still reads: files are replaced when their frame is done. Also reports two files of one name, of
// whichever sinks and frames. `frames`: those that will be run.
void checkOverwriting(const ModuleGraph& graph, const FrameSet& frames, bool mayOverwrite,
                      Diagnostics& diagnostics);

}  // namespace lacuna
