#pragma once
// SettledGraph -> the same, with the types of sources' values in the first frame: from headers of files, read
// by native code, and from the program's images.

#include <map>
#include <string>

#include "graph/load/find_frames.h"
#include "graph/load/settle.h"

namespace lacuna {

// By output; empty if the source has an error, which was reported.
using DeliveredTypes = std::map<std::string, ValueType>;

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
