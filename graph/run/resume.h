#pragma once
// Sequences that were begun before.

#include "graph/nodes/node_graph.h"

namespace lacuna {

// The frames for which some sink's file is missing, empty or, by the sink's native code, incomplete. Files
// appear complete or not at all, but they may have been copied since. Changes of the graph, its options or
// its inputs are not detected. If no sink has a file, all frames.
FrameSet unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames);

// Those that some sink's file is missing for, whatever is in the others.
FrameSet unwrittenFrames(const ModuleGraph& graph, const FrameSet& frames);

}  // namespace lacuna
