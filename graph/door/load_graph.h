#pragma once
// Makes a Graph in steps, for the program's commands, which read parts of it before it is complete.

#include <memory>
#include <string>
#include <vector>

#include "graph/door/state.h"
#include "graph/nodes/node_graph.h"

namespace lacuna::door {

// A graph's file, or its text and the text's name.
struct GraphOrigin {
  std::string name;
  const std::string* text = nullptr;  // null if it is in the file of this name
  StageTrace see = {};
  std::string overwriting = {};  // the caller's option that sets GraphOptions::overwriteInput, or empty
};

// All mistakes are in the diagnostics of `loaded`.
std::shared_ptr<GraphState> loadGraph(const GraphOrigin& origin, const GraphOptions& options,
                                      const std::vector<OtherOutput>& others = {});

// Throws Error where there are errors.
Graph openGraph(std::shared_ptr<GraphState> state);

// Reports all mistakes in the shaders of a loaded graph: in its bodies as they would run, then in each of
// `modules` by itself, since nodes that the graph's parameters leave out, or types that it does not have, may
// be wrong, too.
void reportShaders(const NodeGraph& graph,
                   const std::vector<std::shared_ptr<const ModuleDescription>>& modules,
                   const std::vector<std::string>& modulePath, Diagnostics& diagnostics);

}  // namespace lacuna::door
