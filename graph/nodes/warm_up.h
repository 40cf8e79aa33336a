#pragma once
// NodeGraph -> how many frames before one its results depend on. A run that begins in the middle of a
// sequence computes them first, and then gives what the whole sequence would, within rounding.
//
// A module's own: what its `warmup` says where nodes of it take last frame's values; all frames if it says
// nothing; none without such nodes. Along a chain they add up: what the last module needs of its inputs, they
// need of theirs. Side by side the largest counts. A `feedback:` line between modules is a delay of one
// frame, and one that leads back to where it comes from keeps values for nobody knows how long: all frames. A
// graph file's `warmup:` stands in place of all that.

#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

struct WarmUp {
  std::optional<int> frames = 0;  // nullopt: all before
  std::string reason;             // "svgf:01 96, accum:01 128"; empty: nothing takes the frame before

  bool needsEarlier() const { return !frames || *frames > 0; }
  int from(int frame) const;  // the first frame that `frame` depends on; 0 at least
};

// Only what sinks need counts. The graph may be as built or later.
WarmUp warmUpOf(const NodeGraph& graph);

// Warns where what the graph file says changes nothing. Of that alone: files of modules that keep nothing are
// none the worse for it.
void checkWarmUp(const NodeGraph& graph, Diagnostics& diagnostics);

std::string print(const WarmUp& warmUp);  // "12 frames (accum:01)", "all frames before (accum:01)", "none"

}  // namespace lacuna
