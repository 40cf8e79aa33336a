#pragma once
// Files that another program is about to write.

#include <string>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// Missing, or changed within the last 10 seconds.
bool isAwaited(const std::string& file);
// Whether a numbered source's file of the frame is awaited.
bool isAwaited(const ModuleGraph& graph, int frame);

}  // namespace lacuna
