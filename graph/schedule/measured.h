#pragma once
// Facts about a graph's filters beside the graph itself, as plain data (run/tune/tuning.h reads it).

#include <map>
#include <string>
#include <vector>

#include "graph/schedule/candidate.h"
#include "graph/schedule/filter_work.h"

namespace lacuna {

struct FilterKnowledge {
  FilterWork work;                      // of a stencil
  std::vector<TimedSchedule> measured;  // on this device, for images of this size; empty if never
  std::string date;                     // of that
  int frames = 0;  // that will run, where compiling is to count beside them; 0: it doesn't
};

// By the names of nodes.
using Knowledge = std::map<std::string, FilterKnowledge>;

}  // namespace lacuna
