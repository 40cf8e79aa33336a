#pragma once
// ModuleGraph -> the same, with the parameters that depend on files: native code sets them (abi.h, settle()).

#include <functional>
#include <set>
#include <string>

#include "graph/nodes/module_graph.h"

namespace lacuna {

// Sources first, since sinks depend on them. For the first frame that runs. Returns the names of sources
// that something is wrong with, all of it reported. `isMissing`: sources whose file is known to be missing,
// which are left out.
std::set<std::string> settle(ModuleGraph& graph, const std::function<bool(const ModuleInstance&)>& isMissing,
                             Diagnostics& diagnostics);

}  // namespace lacuna
