#pragma once
// Measures the schedules of a graph's filters (stencil chains, kernels with variants) on a device, each
// filter alone, on the graph's values in a frame. Measurements go into the cache (run/tune/tuning.h), where
// `auto` finds them.

#include <functional>
#include <string>
#include <vector>

#include "graph/run/session.h"
#include "graph/run/tune/tuning.h"
#include "graph/run/tune/tuning_rounds.h"

namespace lacuna {

// The schedules to time for a filter.
struct FilterPick {
  std::vector<std::string> schedules;  // the most promising first; none if the filter is not measured
  double seconds = 0.0;                // at most; 0: any
  double bestRuns = 0.0;               // nor longer than this many runs of the fastest; 0: any
  // Families whose other schedules are tried, too (CandidateMaker::search).
  std::vector<std::string> searched = {};
};

struct TuneOptions {
  std::vector<std::string> includePath;
  std::string cacheFolder;
  int frame = 0;           // whose files are read
  int rounds = 20;         // timed runs of each remaining schedule
  double preheatMs = 200;  // warm-up before anything is timed: idle clocks are slow
  double reheatMs = 200;   // of it before each further schedule, on GPUs
  std::function<FilterPick(const Filter& filter, const FilterPlan& choice)> pick;
  std::function<void(const FilterPlan& choice, const std::string& schedule)> trying = {};
};

// `graph` as loaded; `layout` as compiled, with the filters' present measurements. Filters of equal shaders
// and sizes are measured once. Throws as Session does.
std::vector<FilterTimes> tuneGraph(vk::Device& device, const NodeGraph& graph, const CompileOptions& layout,
                                   const TuneOptions& options);

}  // namespace lacuna
