#pragma once
// Outputs that would replace files that the same run needs.

#include "graph/files/file_kind.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

struct OutputRules {
  bool overwriteInput = false;  // sinks may replace inputs that no later frame reads
  bool keepOutputs = false;     // sinks replace nothing
  std::vector<OtherOutput> others = {};
  std::string permission = "GraphOptions::overwriteInput";  // what the caller sets for it, for messages
};

// Reports outputs that would replace protected files, by device and inode: inputs of the run, which are
// graph files (those in `diagnostics`), the files of all modules except sinks, numbered files up to the last
// frame, since earlier frames may have to be computed, and ModuleInstance's alsoRead; and files that
// irreplaceable() refuses. With overwriteInput only inputs that a later frame still reads: files are
// replaced when their frame is done. Also reports two files with one name, of any sinks and frames.
// `frames`: the frames to run.
void checkOverwriting(const ModuleGraph& graph, const FrameSet& frames, const OutputRules& rules,
                      Diagnostics& diagnostics);

}  // namespace lacuna
