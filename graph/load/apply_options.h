#pragma once
// Config -> the same, with the parameters and files of the command line as lines behind those of the file.

#include "graph/config/config.h"
#include "graph/load/load.h"
#include "graph/module/registry.h"

namespace lacuna {

struct ConfigWithOptions : Config {};

ConfigWithOptions applyOptions(Config config, const LoadOptions& options, Registry& registry,
                               Diagnostics& diagnostics);

}  // namespace lacuna
