#pragma once
// What a filter computes, as text: the same for two filters that compute the same, wherever their files lie
// and whatever they are called. What was measured is kept under it.

#include <string>
#include <vector>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// Of a stencil chain: the shader of its first level under the plainest schedule. Of a kernel that has
// variants: the shaders of all of them, each under its default. With them the values of structural parameters
// that they read. Throws ShaderSourceError for bodies that can't be read.
std::string filterText(const NodeGraph& graph, const Node& node, const std::vector<std::string>& includePath);

}  // namespace lacuna
