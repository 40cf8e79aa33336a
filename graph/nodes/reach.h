#pragma once
// NodeGraph -> how far from an output's pixel the input pixels lie that it depends on, in one frame: the
// margin of a crop of the input that leaves the output unchanged.
//
// Declared footprints add up along a chain; among parallel branches the largest counts. A stencil's is its
// radius over all of its levels. Local nodes add nothing; an array or a global footprint depends on all
// pixels. Last frame's values don't count.

#include <optional>
#include <string>

#include "graph/nodes/node_graph.h"

namespace lacuna {

struct Reach {
  std::optional<double> pixels = 0.0;  // of the inputs; nullopt: all
  std::string reason;                  // the first node that needs all of them
};

// Only pixels that sinks need count. The graph as built.
Reach reachOf(const NodeGraph& graph);

// How much of a node's input a pixel of its outputs depends on. Not for stencils.
const Footprint& footprintOf(const Node& node, std::string_view input);

// The reach at a node's input, in its pixels, for this reach at its outputs, in theirs; infinite for a global
// footprint.
double reachBefore(const NodeGraph& graph, const Node& node, const NamedValue& input, double needed);

std::string print(const Reach& reach);  // "up to 62 away", "all (eaw:01:medians)"

}  // namespace lacuna
