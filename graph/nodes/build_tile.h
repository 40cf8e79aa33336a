#pragma once
// Nodes that native code builds for a tile: the same nodes with the same values, but with the sizes of
// arrays, the numbers and the shaders of a tile's picture.

#include "graph/nodes/node_graph.h"

namespace lacuna {

struct Tiles;

// The native node, if some of its nodes' arrays are a tile's. Needs: `built` as the next module.
std::optional<NativeNode> nativeInTiles(const NodeGraph& graph, const Node& node,
                                        const ModuleDescription& built);

// Calls build() again for NodeGraph::natives. Needs: images that have a tile's extent.
NodeGraph buildForTile(NodeGraph graph, const Tiles& tiles, Diagnostics& diagnostics);

}  // namespace lacuna
