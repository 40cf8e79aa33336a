#pragma once
// The stages that look for files and ask native code.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/config/config.h"
#include "graph/config/diagnostics.h"
#include "graph/load/load.h"
#include "graph/module/registry.h"
#include "graph/nodes/load_native.h"

namespace lacuna {

// Config -> the same, with the command line's parameters and files as lines behind those of the file.
struct ConfigWithOptions : Config {};

ConfigWithOptions applyOptions(Config config, const LoadOptions& options, Registry& registry,
                               Diagnostics& diagnostics);

// The overrides that `files` stand for. Reports graphs without such a module, and with several, by name.
std::vector<Override> overridesFor(const std::vector<FileOption>& files, const Config& config,
                                   Registry& registry, Diagnostics& diagnostics);

// LinkedGraph -> the same, with numbers for its frames and for their existing files.
struct FramedGraph : LinkedGraph {
  FrameSet runnable;   // of LoadOptions::frames, without those that are skipped
  bool looks = false;  // for the files of frames: LoadOptions::frames is set

  // The frames that sinks write, if they are known.
  FrameSet written() const;
  // Whether a source's file of the first frame is missing, which was reported.
  bool isMissing(const ModuleInstance& source) const;
};

// ModuleGraph::firstFrame is the first frame that can run: its files determine the sources' types.
FramedGraph findFrames(LinkedGraph graph, const LoadOptions& options, Diagnostics& diagnostics);

std::string print(const FramedGraph& graph);

// FramedGraph -> the same, with the parameters that depend on files: native code's settle() sets them.
struct SettledGraph : FramedGraph {
  std::set<std::string> wrong = {};  // sources with an error, which was reported
};

// Sources first, since sinks depend on them. For the first frame that runs. Sources with a missing file are
// skipped.
SettledGraph settle(FramedGraph graph, Diagnostics& diagnostics);

// By output; empty if the source has an error, which was reported.
using DeliveredTypes = std::map<std::string, ValueType>;

// SettledGraph -> the same, with the types of sources' values in the first frame: from headers of files, read
// by native code, and from the program's images.
struct ProbedGraph : SettledGraph {
  std::map<std::string, DeliveredTypes> delivered = {};  // by source
};

// `memory`: as in LoadOptions. If the graph has errors, sources are probed nevertheless, so that mistakes of
// files are reported together with the others, but never twice.
ProbedGraph probe(SettledGraph graph, const std::map<std::string, ValueType>& memory,
                  Diagnostics& diagnostics);

// Whether the header of a file source's file can be read.
bool canProbe(const ModuleInstance& source, const ModuleGraph& graph);

NodeGraph buildNodeGraph(ProbedGraph graph, Diagnostics& diagnostics);

std::string print(const ProbedGraph& graph);

// Waits until the files of the first frame have readable headers, or have been written for long.
void awaitReadable(const FramedGraph& graph);

// FramedGraph -> the same, whose first frame is the earliest one whose files have readable headers. If there
// is none, the first frame stays.
FramedGraph beginReadable(FramedGraph graph);

}  // namespace lacuna
