#pragma once
// Sequences that were begun before.

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Of `frames` those that some sink's file is missing for, is empty, or is not whole, as far as the sink's
// native code can say. Files appear complete or not at all, but they may have been copied since. Whether the
// graph, its options or its inputs have changed is not looked at. All of them where no sink has a file.
FrameSet unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames);

// Those that some sink's file is missing for, whatever is in the others.
FrameSet unwrittenFrames(const ModuleGraph& graph, const FrameSet& frames);

}  // namespace lacuna
