#pragma once
// What a filter (a stencil chain, or a kernel that has variants) could run as and what it does run as: for
// `plan`, for tuning, and for whoever asks why.

#include <cstdint>
#include <string>
#include <vector>

namespace lacuna {

// A schedule that a filter (a stencil chain, or a kernel that has variants) could take.
struct Candidate {
  std::string schedule;  // "rows4@32x4/buffer/gathered"
  std::string family;    // "rows"; of a kernel the variant: within one, schedules differ in details
  bool exact = true;     // else its result is another one, and `auto` never takes it
  std::string rejected;  // why the device can't run it; empty: it can, and the rest is told
  int passes = 0;
  uint64_t bytes = 0;    // read and written by all passes, each pixel once a pass
  double ms = 0.0;       // 0: not known; of kernels nothing is estimated
  std::string measured;  // the day; empty: ms is an estimate
};

// How a filter is run, and why: for `plan`.
struct Choice {
  std::string node;
  std::string schedule;
  std::string reason;
  bool asked = false;                 // the schedule is what the user asked for, not what is best
  uint64_t floorBytes = 0;            // of each input read once and each output written once
  double floorMs = 0.0;               // they alone, where the device's bandwidth is known; else 0
  std::vector<Candidate> candidates;  // the best first, the rejected ones last
};

}  // namespace lacuna
