#pragma once
// What is known of a graph's filters beside the graph itself, as plain data (run/tune/tuning.h reads it).

#include <map>
#include <string>
#include <vector>

#include "graph/schedule/candidate.h"
#include "graph/schedule/filter_work.h"

namespace lacuna {

struct FilterKnowledge {
  FilterWork work;                      // of a stencil
  std::vector<TimedSchedule> measured;  // on this device, for images of this size; empty: never
  std::string date;                     // of that
};

// By the names of nodes.
using Knowledge = std::map<std::string, FilterKnowledge>;

}  // namespace lacuna
