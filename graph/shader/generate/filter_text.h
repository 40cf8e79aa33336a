#pragma once
// A filter's computation, as text: the same for two filters that compute the same, wherever their files are
// and whatever their names. Measurements are kept under it.

#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Its bodies with their includes, for a kernel those of all suitable variants; the types of its inputs and
// outputs; its description, and the values of structural parameters that bodies read. Nothing is generated.
// Throws ShaderSourceError for bodies that can't be read.
std::string filterText(const NodeGraph& graph, const Node& node, const std::vector<std::string>& includePath);

}  // namespace lacuna
