#pragma once
// Which frames a run computes: those whose results are wanted, and those before that they depend on.

#include "graph/load/missing_files.h"
#include "graph/nodes/warm_up.h"

namespace lacuna {

// Those that are written where nobody asks for others: all, or the last one (`write:last`).
FrameSet framesToWrite(const ModuleGraph& graph);

struct FramePlan {
  FrameSet frames;  // wanted
  FrameSet warmUp;  // computed as well: no results are written
  FrameSet starts;  // of both: where feedback begins with zeros
  // Warm-up frames are short of what was asked for: the latest frame without files that stopped them, or -1.
  int stoppedBy = -1;
};

// `wanted`: all with files. Before each of them the warm-up's frames are computed, as far as they are not
// anyway; with frames left out on the way a row of frames begins anew. `there`: frames that have their files.
// `skip` replaces a warm-up frame without files by the frame before it; otherwise the warm-up begins after
// it.
FramePlan planFrames(const FrameSet& wanted, const WarmUp& warmUp, Missing missing, const FrameSet& there);

}  // namespace lacuna
