#pragma once
// All mistakes in the shaders of a loaded graph.

#include <memory>
#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna::door {

// The graph's bodies as they would run; then each of `modules` by itself, since nodes that the graph's
// parameters leave out, or types that it does not have, may be wrong, too.
void reportShaders(const NodeGraph& graph,
                   const std::vector<std::shared_ptr<const ModuleDescription>>& modules,
                   const std::vector<std::string>& modulePath, Diagnostics& diagnostics);

}  // namespace lacuna::door
