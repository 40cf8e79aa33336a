#pragma once
// The first half of module graph -> node graph: nodes and wires, without types.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/compile/node_graph.h"

namespace lacuna {

// A NodeGraph whose values have no type yet.
struct Wiring {
  NodeGraph graph;
  std::vector<std::map<std::string, int>> moduleInputs;  // a module each: connector -> value that comes in
};

// Leaves out nodes whose `when` is false, nodes that no sink and no connected output of their module needs,
// and outputs of sources that nothing reads (so that they are not read from the file either). Reports
// connections from outputs that no node makes under the module's parameters.
Wiring expandModules(ModuleGraph modules, Diagnostics& diagnostics);

}  // namespace lacuna
