#pragma once
// The first half of module graph -> node graph: nodes and wires, without types.

#include <map>
#include <string>

#include "graph/nodes/build_native.h"

namespace lacuna {

// A NodeGraph whose values have no type yet.
struct Wiring {
  NodeGraph graph;
  Table<ModuleId, std::map<std::string, ValueId>> moduleInputs;  // connector -> its input value
};

// Omits nodes whose `when` is false, nodes that no sink and no connected output of their module needs,
// pointwise nodes, stencils and reduces without connected inputs, and outputs of sources that nothing reads
// (so that they are not read from the file either). Reports connections from outputs that no node makes under
// the module's parameters.
Wiring expandModules(ModuleGraph modules, Diagnostics& diagnostics);

// Puts the built nodes in a native node's place, and returns the number of nodes there. The native node's
// output values stay; those of uploads get their types.
size_t replaceNative(Wiring& wiring, NodeId node, Built built, Diagnostics& diagnostics);

}  // namespace lacuna
