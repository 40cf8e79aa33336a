#pragma once
// Config -> the same, with the command line's parameters and files as lines behind those of the file.

#include <vector>

#include "graph/config/config.h"
#include "graph/config/diagnostics.h"
#include "graph/load/load.h"
#include "graph/module/registry.h"

namespace lacuna {

struct ConfigWithOptions : Config {};

ConfigWithOptions applyOptions(Config config, const LoadOptions& options, Registry& registry,
                               Diagnostics& diagnostics);

// The overrides that `files` stand for. Reports graphs without such a module, and with several, by name.
std::vector<Override> overridesFor(const std::vector<FileOption>& files, const Config& config,
                                   Registry& registry, Diagnostics& diagnostics);

}  // namespace lacuna
