#pragma once
// Makes a Graph in steps, for the program's commands, which read parts of it before it is complete.

#include "graph/door/state.h"

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

}  // namespace lacuna::door
