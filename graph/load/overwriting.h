#pragma once
// Outputs that would replace something that the same run needs.

#include "graph/files/file_kind.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// A file that a run writes beside those of its sinks.
struct OtherOutput {
  std::string option;  // that names it, for messages: "--profile t.json"
  std::string what;    // "the profile"
  std::string path;
  FileKind kind = FileKind::none;
  bool replacesOlder = true;  // files of its kind
};

struct OutputRules {
  bool overwriteInput = false;  // sinks may replace inputs that no later frame reads
  bool keepOutputs = false;     // sinks replace nothing
  std::vector<OtherOutput> others = {};
};

// Reports outputs that would replace what they must not, by device and inode: inputs of the run, which are
// graph files (those that `diagnostics` has), the files of all modules that are no sinks, of numbered files
// those up to the last frame, since frames before the first may have to be computed, and ModuleInstance's
// alsoRead; and files that irreplaceable() refuses. With overwriteInput only inputs that a later frame still
// reads: files are replaced when their frame is done. Also reports two files of one name, of whichever sinks
// and frames. `frames`: those that will be run.
void checkOverwriting(const ModuleGraph& graph, const FrameSet& frames, const OutputRules& rules,
                      Diagnostics& diagnostics);

}  // namespace lacuna
