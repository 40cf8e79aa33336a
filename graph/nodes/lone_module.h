#pragma once
// A module without a graph around it, so that its bodies can be checked: behind a source in memory that gives
// each input a type that it takes, with all outputs read.

#include <memory>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Graphs that hold, together, every node that some setting of the structural parameters makes, and every type
// that a connector lists. Native nodes are replaced by those that the module's code builds. Reports mistakes
// in these.
std::vector<NodeGraph> loneGraphs(const std::shared_ptr<const ModuleDescription>& module,
                                  Diagnostics& diagnostics);

}  // namespace lacuna
