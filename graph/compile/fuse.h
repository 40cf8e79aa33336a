#pragma once
// Needs: a culled NodeGraph. Guarantees: exact, since values round through the format that the
// intermediate would have had. A pointwise node joins its only consumer where that is pointwise too and
// no value between them is needed elsewhere, next frame included; extents are the same by construction. Nodes
// with bound parameters stay apart, since a node's bindings hold for all its parts. The joined node stands
// where the consumer stood, which is a valid place: what its parts read was made before them.

#include "graph/compile/node_graph.h"

namespace lacuna {

NodeGraph fusePointwise(NodeGraph graph);

}  // namespace lacuna
