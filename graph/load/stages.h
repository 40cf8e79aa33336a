#pragma once
// Config -> ModuleGraph -> Sources: what the command line adds, and what files hold.

#include <string>
#include <vector>

#include "graph/config/config.h"
#include "graph/config/diagnostics.h"
#include "graph/load/load.h"
#include "graph/module/registry.h"
#include "graph/nodes/node_graph.h"

namespace lacuna {

// Appends the command line's parameters and files to the lines of the file.
Config applyOptions(Config config, const LoadOptions& options, Registry& registry, Diagnostics& diagnostics);

// The overrides that `files` stand for. Reports graphs without such a module, and with several, by name.
std::vector<Override> overridesFor(const std::vector<FileOption>& files, const Config& config,
                                   Registry& registry, Diagnostics& diagnostics);

// Looks for files and asks native code, which is loaded, about those of the first frame that can run: its
// settle() sets parameters that depend on files, sources first, since sinks depend on them; its probe() reads
// the types of sources' values from headers. With Missing::wait those files are awaited; with skipDamaged the
// first frame is the earliest one whose files have readable headers, or stays if there is none. If the graph
// has errors, its files are read nevertheless, so that their mistakes are reported together with the others,
// but never twice.
Sources findSources(ModuleGraph graph, const LoadOptions& options, Diagnostics& diagnostics);

// A step of it, before native code is asked: numbers of frames, and their existing files.
// ModuleGraph::firstFrame is the first frame that can run.
Sources findFrames(ModuleGraph graph, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace lacuna
