#pragma once
// Counters where NaN and infinities would be hidden: a pointwise part converts floats to integers, which a
// file gets. Such a part counts them as it runs, whichever pass it is fused into. Values that files get as
// floats are checked on the host (run/not_finite.h).

#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// The inputs whose values are counted. Depth and motion are omitted: renderers write infinities for the
// background.
std::vector<const PartInput*> countedInputs(const NodeGraph& graph, const Node& node, const NodePart& part);

// The first output that a sink with files reads as integers, if inputs are counted: it names the part's
// counter. None if the part counts nothing.
ValueId countedOutput(const NodeGraph& graph, const Node& node, const NodePart& part);

// How many parts of the node have a counter.
uint32_t counterCount(const NodeGraph& graph, const Node& node);

}  // namespace lacuna
