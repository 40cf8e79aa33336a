#pragma once
// Whether a run measures a filter's schedules before its first frame, which ones, and for how long. It does
// so on GPUs, for filters without measurements, in long runs: measuring takes at most a tenth of the device
// time that the filter is expected to take over all frames, and at most ten seconds. Results are kept, so a
// run that gains nothing loses that time only once. On CPU devices compiling costs more than measuring gains.
// Most kernels have no estimate. In runs of many frames each schedule is first timed briefly; if measuring
// doesn't pay, only that time is lost.

#include "graph/run/tune/tune.h"

namespace lacuna {

struct QuietSituation {
  bool cpu = true;
  int frames = 1;       // that are to be run
  bool always = false;  // however long it takes, on any device: for tests
};

FilterPick quietTuning(const FilterChoice& choice, const QuietSituation& situation);

struct QuietRun {
  int frames = 0;      // that will be computed
  int firstFrame = 0;  // whose files are read
  std::vector<std::string> includePath;
  std::string cacheFolder;
};

// `planned`: as the graph would be run. Returns the measurements; if there are any, the graph is to be
// scheduled again. Throws as tuneGraph() does.
std::vector<FilterTimes> tuneQuietly(vk::Device& device, const NodeGraph& graph,
                                     const std::vector<FilterChoice>& planned, const CompileOptions& layout,
                                     const QuietRun& run);

}  // namespace lacuna
