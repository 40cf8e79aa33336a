#pragma once
// Measures the filters of a graph before a long run, where that pays (quiet_tuning.h).

#include "graph/run/tune/tune.h"

namespace lacuna {

struct QuietRun {
  int frames = 0;      // that will be computed
  int firstFrame = 0;  // whose files are read
  std::vector<std::string> includePath;
  std::string cacheFolder;
};

// `planned`: as the graph would be run. Returns what was measured; where that is not empty, the graph is to
// be scheduled anew. Throws as tuneGraph() does.
std::vector<FilterTimes> tuneQuietly(vk::Device& device, const NodeGraph& graph,
                                     const std::vector<FilterPlan>& planned, const CompileOptions& layout,
                                     const QuietRun& run);

}  // namespace lacuna
