#pragma once
// Where the picture that a sink writes comes from.

#include <optional>
#include <string>

#include "graph/nodes/module_graph.h"

namespace lacuna {

struct Origin {
  const ModuleInstance* source = nullptr;
  std::string output;  // its output connector
};

// The source with a file that the main input of a module leads to: `input`, or else the first one that is
// connected, through all modules in between, but not through feedback. None where that ends elsewhere.
std::optional<Origin> originOf(const ModuleGraph& graph, const ModuleInstance& module);

}  // namespace lacuna
