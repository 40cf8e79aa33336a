#pragma once
// Files that the command line gives to the graph's one source or one sink.

#include <string>
#include <vector>

#include "graph/config/config.h"
#include "graph/config/diagnostics.h"
#include "graph/load/load.h"
#include "graph/module/registry.h"

namespace lacuna {

// The overrides that `files` mean. Reports graphs without such a module and graphs with several, by name.
std::vector<Override> overridesFor(const std::vector<FileOption>& files, const Config& config,
                                   Registry& registry, Diagnostics& diagnostics);

}  // namespace lacuna
