#pragma once
// SettledGraph -> the same, with the types of what sources deliver in the first frame: from headers of files,
// read by native code, and from images that the program brings.

#include <map>
#include <string>

#include "graph/load/find_frames.h"
#include "graph/load/settle.h"

namespace lacuna {

// By output; empty: something is wrong with the source, and was reported.
using DeliveredTypes = std::map<std::string, ValueType>;

struct ProbedGraph : SettledGraph {
  std::map<std::string, DeliveredTypes> delivered = {};  // by source
};

// `memory`: as in LoadOptions. Where the graph has errors, sources are probed all the same, so that what is
// wrong with a file is told beside the other mistakes; but none twice.
ProbedGraph probe(SettledGraph graph, const std::map<std::string, ValueType>& memory,
                  Diagnostics& diagnostics);

// Whether the header of a file source's file can be read.
bool canProbe(const ModuleInstance& source, const ModuleGraph& graph);

NodeGraph buildNodeGraph(ProbedGraph graph, Diagnostics& diagnostics);

std::string print(const ProbedGraph& graph);

// FramedGraph -> the same, whose first frame is the earliest one whose files have headers that can be read.
// Where there is none, the first frame stays.
FramedGraph beginReadable(FramedGraph graph);

}  // namespace lacuna
