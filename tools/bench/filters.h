#pragma once
// The filters that `lacuna bench` measures, and the names of the schedules that it measures them with.

#include <string>
#include <vector>

#include "graph/families/stencil_schedule.h"

namespace lacuna {

struct BenchFilter {
  std::string name;   // as --filter says it
  std::string chain;  // the node whose passes are timed
  bool synthesis = false;
  std::string text;  // the graph
};

// eaw with 6 levels and synthesis, the noise given; the guided filter's 5 levels, without its packing and
// variance. As the prototypes of tools/bench/README.md have them.
const std::vector<BenchFilter>& benchFilters();

// What speed-ups are relative to: the plainest schedule on images, 16x16.
std::string baselineOf(const BenchFilter& filter);

// The schedules that names and prefixes mean, each once, after the baseline. None: all.
std::vector<std::string> schedulesOf(const BenchFilter& filter, const std::vector<std::string>& asked);

}  // namespace lacuna
