#pragma once
// FramedGraph -> the same, with the parameters that depend on files: native code sets them (abi.h, settle()).

#include <set>
#include <string>

#include "graph/load/find_frames.h"

namespace lacuna {

struct SettledGraph : FramedGraph {
  std::set<std::string> wrong = {};  // sources that something is wrong with, all of it reported
};

// Sources first, since sinks depend on them. For the first frame that runs. Sources whose file is missing are
// left out.
SettledGraph settle(FramedGraph graph, Diagnostics& diagnostics);

}  // namespace lacuna
