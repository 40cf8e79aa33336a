#pragma once
// NodeGraph -> Schedule: the list of stages.

#include "graph/passes/layout.h"

namespace lacuna {

Schedule compile(NodeGraph graph, const LayoutOptions& options, Diagnostics& diagnostics);

}  // namespace lacuna
