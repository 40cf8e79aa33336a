#pragma once
// FramedGraph -> the same, with the parameters that depend on files: native code's settle() sets them.

#include <set>
#include <string>

#include "graph/load/find_frames.h"

namespace lacuna {

struct SettledGraph : FramedGraph {
  std::set<std::string> wrong = {};  // sources with an error, which was reported
};

// Sources first, since sinks depend on them. For the first frame that runs. Sources with a missing file are
// skipped.
SettledGraph settle(FramedGraph graph, Diagnostics& diagnostics);

}  // namespace lacuna
