#pragma once
// What a filter computes, as text: the same for two filters that compute the same, wherever their files lie
// and whatever they are called. What was measured is kept under it.

#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Its bodies with what they include, of a kernel those of all variants that suit it; the types of what it
// reads and writes; what module.toml says of it, and the values of structural parameters that bodies read.
// Nothing is generated. Throws ShaderSourceError for bodies that can't be read.
std::string filterText(const NodeGraph& graph, const Node& node, const std::vector<std::string>& includePath);

}  // namespace lacuna
