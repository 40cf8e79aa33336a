#pragma once
// Facts about a graph's filters that the graph itself doesn't have, as plain data (read by
// run/tune/tuning.h).

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
  int frames = 0;                       // that will run, if compile time is to count; 0 if it doesn't
};

// What is known of each filter, by its node's name.
using Knowledge = std::map<std::string, FilterKnowledge>;

}  // namespace lacuna
