#pragma once
// Facts about a graph's filters that the graph itself doesn't have, as plain data (read by
// run/tune/tuning.h).

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graph/schedule/candidate.h"

namespace lacuna {

// Arithmetic operations on numbers: those on a vec3 count three times.
struct Operations {
  double plain = 0.0;
  double special = 0.0;  // exp2, log2, sqrt, division: those that GPUs compute in a few special units
};

// The work of a stencil's body, under any schedule. The defaults, which hold without a body, are those of an
// edge-stopping filter of medium weight.
struct FilterWork {
  Operations tap{16.0, 1.0};    // gather(), once a tap
  Operations difference{};      // difference(), once a pair of pixels of two patches
  Operations load{};            // load(), once a pixel that is read
  Operations pixel{20.0, 2.0};  // centre(), start() and finish(), once a pixel
  uint32_t tapWords = 4;        // 32-bit words of a Tap, and of a thread's registers for each of its pixels
  uint32_t pixelWords = 8;
};

struct FilterKnowledge {
  FilterWork work;                      // of a stencil
  std::vector<TimedSchedule> measured;  // on this device, for images of this size; empty if never
  std::string date;                     // of that
  int frames = 0;                       // that will run, if compile time is to count; 0 if it doesn't
};

// What is known of each filter, by its node's name.
using Knowledge = std::map<std::string, FilterKnowledge>;

}  // namespace lacuna
