#pragma once
// All that pixels depend on beside input files, as a text: the graph as options, modules and their files
// leave it. Records of outputs (made_from.h) keep its digest.
//
// Not in it: which frames run, on which device, by which schedule, and names of inputs and outputs, since
// none changes a frame's pixels.

#include <string>
#include <vector>

#include "graph/load/missing.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// Options of a run that decide what a frame depends on.
struct RunMode {
  int warmUp = -1;  // frames; -1: as the graph says
  Missing missing = Missing::error;
  bool skipsDamaged = false;
  bool isListed = false;  // each frame is a picture of its own
};

// The graph before native code sets what follows from files. Every member of its structures is named in
// graph_key.cpp, so that a new one can't be forgotten.
std::string keyText(const ModuleGraph& graph, const RunMode& mode,
                    const std::vector<std::string>& modulePath);

std::string wordsOf(const ParameterValues& values);  // a line each

}  // namespace lacuna
