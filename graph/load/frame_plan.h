#pragma once
// The frames that a run computes: the wanted ones, and those before that they depend on.

#include "graph/load/missing_files.h"
#include "graph/nodes/warm_up.h"

namespace lacuna {

// The frames that are written by default: all, or the last one (`write:last`).
FrameSet framesToWrite(const ModuleGraph& graph);

struct FramePlan {
  FrameSet frames;  // wanted
  FrameSet warmUp;  // computed as well: no results are written
  FrameSet starts;  // among both: frames in which feedback begins with zeros
  // If there are fewer warm-up frames than wanted: the latest frame without files that stopped them, or -1.
  int stoppedBy = -1;
};

// `wanted`: all with files. Before each of them the warm-up's frames are computed, unless they are
// computed anyway; behind skipped frames a row of frames begins again. `there`: frames with files.
// `skip` replaces a warm-up frame without files by the frame before it; otherwise the warm-up begins
// after it.
FramePlan planFrames(const FrameSet& wanted, const WarmUp& warmUp, Missing missing, const FrameSet& there);

}  // namespace lacuna
