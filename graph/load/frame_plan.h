#pragma once
// Which frames a run computes: those whose results are wanted, and those before that they depend on.

#include <functional>
#include <vector>

#include "graph/load/missing_files.h"
#include "graph/nodes/warm_up.h"

namespace lacuna {

std::vector<int> frameRange(int first, int last);  // both included

// Those that are written where nobody asks for others: all, or the last one (`write:last`).
std::vector<int> framesToWrite(const ModuleGraph& graph);

struct FramePlan {
  std::vector<int> frames;  // wanted, ascending
  std::vector<int> warmUp;  // computed as well, ascending: no results are written
  std::vector<int> starts;  // of both: where feedback begins with zeros
  // Warm-up frames are short of what was asked for: the latest frame without files that stopped them, or -1.
  int stoppedBy = -1;
};

// `wanted`: ascending, all with files. Before each of them the warm-up's frames are computed, as far as they
// are not anyway; with frames left out on the way a row of frames begins anew. `has`: whether a frame's files
// are there. Of a frame without them, skip counts the frame before it in its place; else the warm-up begins
// after it.
FramePlan planFrames(const std::vector<int>& wanted, const WarmUp& warmUp, MissingFiles missing,
                     const std::function<bool(int frame)>& has);

}  // namespace lacuna
