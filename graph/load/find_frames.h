#pragma once
// LinkedGraph -> the same, with numbers for its frames and for their existing files.

#include "graph/load/load.h"
#include "graph/nodes/load_native.h"

namespace lacuna {

struct FramedGraph : LinkedGraph {
  FrameSet runnable;   // of LoadOptions::frames, without those that are skipped
  bool looks = false;  // for the files of frames: LoadOptions::frames is set

  // The frames that sinks write, if they are known.
  FrameSet written() const;
  // Whether a source's file of the first frame is missing, which was reported.
  bool isMissing(const ModuleInstance& source) const;
};

// ModuleGraph::firstFrame is the first frame that can run: its files determine the sources' types.
FramedGraph findFrames(LinkedGraph graph, const LoadOptions& options, Diagnostics& diagnostics);

std::string print(const FramedGraph& graph);

}  // namespace lacuna
