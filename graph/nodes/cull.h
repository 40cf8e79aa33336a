#pragma once
// Needs: a NodeGraph. Guarantees: exact; every remaining node reaches a sink (feedback counts: nodes that
// make next frame's value are kept), every remaining value is used or is an output that a kept node must
// have. Pointwise nodes, stencils, sources and kernels in GLSL lose outputs that nothing reads: their
// bodies keep the names and types, without values. Reduces and kernels in SPIR-V write all of theirs. Runs
// first, so that no later stage spends time on dead nodes.

#include "graph/nodes/node_graph.h"

namespace lacuna {

NodeGraph cull(NodeGraph graph);

}  // namespace lacuna
