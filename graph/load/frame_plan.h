#pragma once
// The frames that a run computes: the wanted ones, and those before that they depend on.

#include "graph/files/frame_list.h"
#include "graph/load/file_numbers.h"
#include "graph/nodes/warm_up.h"

namespace lacuna {

// The frames that are written by default: all, or the last one (`write:last`).
FrameSet framesToWrite(const ModuleGraph& graph);

// The frames that a user requests; a graph's count from 0. With Missing::skip the last one is the last frame
// with files.
FrameSet framesOf(const ModuleGraph& graph, const FrameList& list, Missing missing);

struct FramePlan {
  FrameSet frames;  // wanted
  FrameSet warmUp;  // computed as well: no results are written
  FrameSet starts;  // those of both sets in which feedback begins with zeros
  // The latest frame without files, if it makes the warm-up shorter than wanted; else -1.
  int stoppedBy = -1;
};

// `wanted`: all with files. The warm-up's frames are computed before each of them, unless they are computed
// anyway. `there`: frames with files. A frame without files is a gap, after which warm-up and history begin
// again; with `skip` they go over it, unless warmUp.cutsAtGaps.
FramePlan planFrames(const FrameSet& wanted, const WarmUp& warmUp, Missing missing, const FrameSet& there);

}  // namespace lacuna
