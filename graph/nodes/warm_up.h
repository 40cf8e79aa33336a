#pragma once
// NodeGraph -> how many earlier frames a frame's results depend on. A run that begins in the middle of a
// sequence computes them first, and then gives the results of the whole sequence, within rounding.
//
// A module whose nodes read values of the previous frame needs what its `warmup` states, or all frames if it
// states nothing. Warm-ups add up along a chain; among parallel branches the largest counts. A `feedback:`
// line between modules delays by one frame. If it closes a loop, there is no limit to how long values stay in
// it, so all frames count. A graph file's `warmup:` replaces all that.

#include <string>

#include "graph/nodes/node_graph.h"

namespace lacuna {

struct WarmUp {
  std::optional<int> frames = 0;  // nullopt: all before
  std::string reason;             // "svgf:01 96, accum:01 128"; empty if nothing reads the previous frame
  // A filter takes motion, which leads to the frame before: after a gap history begins again. Without motion,
  // as in sums over a sequence, it continues.
  bool cutsAtGaps = false;

  bool needsEarlier() const { return !frames || *frames > 0; }
  int from(int frame) const;  // the first frame that `frame` depends on; 0 at least
};

// Only modules that sinks need count. The graph may be from any stage after nodes are made.
WarmUp warmUpOf(const NodeGraph& graph);

// Warns if the graph file's `warmup:` has no effect because no module reads a value of the previous frame.
void checkWarmUp(const NodeGraph& graph, Diagnostics& diagnostics);

std::string print(const WarmUp& warmUp);  // "12 frames (accum:01)", "all frames before (accum:01)", "none"

}  // namespace lacuna
