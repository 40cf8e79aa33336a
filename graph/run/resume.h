#pragma once
// Sequences that were begun before.

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Of `frames` those that some sink's file is missing for. Files appear complete or not at all, so a frame
// whose files all exist and are not empty is done; whether its inputs have changed since is not looked at.
// All of them where no sink has a file.
FrameSet unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames);

}  // namespace lacuna
