#pragma once
// The rewrites of a NodeGraph.

#include "graph/nodes/node_graph.h"

namespace lacuna {

struct DeviceModel;

// Needs: a NodeGraph. Guarantees: as exact as the author of the host node states. On CPU devices a host node
// with `replaces` takes the place of that node; elsewhere nothing reads it. Runs before cull(), which removes
// the nodes that nothing reads any more.
NodeGraph chooseHosts(NodeGraph graph, const DeviceModel& device);

// Needs: a NodeGraph. Guarantees: exact; every remaining node reaches a sink (feedback counts: nodes that
// make next frame's value are kept), every remaining value is used or is an output that a kept node must
// have. Pointwise nodes, stencils, sources and kernels in GLSL lose outputs that nothing reads: their
// bodies keep the names and types, without values. Reduces and kernels in SPIR-V write all of theirs. Runs
// early, so that no later stage spends time on dead nodes.
NodeGraph cull(NodeGraph graph);

// Needs: a culled NodeGraph. Guarantees: exact, since values round through the format that the intermediate
// would have had; a value that other nodes or the next frame need is still made. Their extents are the same,
// because only nodes with a local footprint join. In this order:
//
// - pointwise with pointwise: a node joins its only consumer.
// - epilogue: a pointwise node that reads a stencil's result at its own pixel joins the pass that makes the
//   result, be it the last level or the synthesis. It saves reading the result, and storing it where nothing
//   else reads it. Values of a tapped level don't exist there.
// - prologue: a pointwise node whose values nothing but the stencil's first state needs joins the pass that
//   makes that state. If there is no such pass, the node becomes that pass.
//
// A pointwise node between two chains is the epilogue of the first one. If the first one's result is also
// needed elsewhere and the second one has a pass for its first state, it joins that instead: either way one
// value less is stored.
//
// Two nodes stay apart if a third one needs the first and is needed by the second, and if the joined pass
// might bind more than the device allows.
NodeGraph fuse(NodeGraph graph, const DeviceModel& device);

}  // namespace lacuna
