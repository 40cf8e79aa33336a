#pragma once
// Graphs in Graphviz's language.

#include <string>

#include "graph/nodes/node_graph.h"

namespace lacuna {

// A box a module, an arrow a connection with the names of its connectors where they are not `output` and
// `input`; feedback is dashed.
std::string dotOfModules(const ModuleGraph& graph);

// A box a node, with its kind; those of a module in a frame. Arrows have the type of what flows.
std::string dotOfNodes(const NodeGraph& graph);

}  // namespace lacuna
