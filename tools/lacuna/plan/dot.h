#pragma once
// Graphs in Graphviz's language.

#include <string>

namespace lacuna {

struct ModuleGraph;
struct NodeGraph;

// A box for each module, and an arrow for each connection, with the names of its connectors unless they are
// `output` and `input`; feedback is dashed.
std::string dotOfModules(const ModuleGraph& graph);

// A box for each node, with its kind; a frame around those of a module. Arrows have the type of what flows.
std::string dotOfNodes(const NodeGraph& graph);

}  // namespace lacuna
