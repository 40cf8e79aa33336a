#pragma once
// Missing files of sources' frames. Only connected sources with a number in their file names count.

#include "graph/load/missing.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// The frames for which a module has its file, or a substitute; for other modules than these sources, all
// frames. Needs numberFiles().
FrameSet framesWithFile(const ModuleInstance& module);
FrameSet framesWithFiles(const ModuleGraph& graph);  // of all modules

// Looks for the files of `frames`. Missing ones are reported, all of a source in one diagnostic at its
// filename: an error, or a warning with skip or hold. Returns the frames that can run, without skipped ones.
// hold sets ModuleInstance::holdsLast.
FrameSet findFiles(ModuleGraph& graph, const FrameSet& frames, Missing missing, Diagnostics& diagnostics);

}  // namespace lacuna
