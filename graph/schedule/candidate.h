#pragma once
// What a filter (a stencil chain, or a kernel that has variants) could run as and what it does run as: for
// plans, for tuning, and for whoever asks why. Installed: lacuna.h includes it.

#include <cstdint>
#include <string>
#include <vector>

namespace lacuna {

// A schedule that a filter could run as.
struct ScheduleCandidate {
  std::string name;      // "rows4@32x4/buffer/gathered"
  std::string family;    // "rows"; of a kernel the variant: within one, schedules differ in details
  bool exact = true;     // else its result differs, and only its name selects it
  std::string rejected;  // why the device can't run it; empty: it can, and the rest is known
  int passes = 0;
  uint64_t bytes = 0;    // read and written by all passes, each pixel once a pass
  double ms = 0.0;       // 0: not known; of kernels nothing is estimated
  std::string measured;  // the day; empty: ms is an estimate
};

// How a filter is run, and why.
struct FilterPlan {
  std::string filter;  // "eaw:01:atrous"
  std::string schedule;
  std::string reason;
  bool forced = false;                        // the user named the schedule
  uint64_t floorBytes = 0;                    // inputs read once, outputs written once
  double floorMs = 0.0;                       // they alone; 0: not known
  std::vector<ScheduleCandidate> candidates;  // the best one first, those rejected last
};

struct TimedSchedule {
  std::string name;
  double ms = 0.0;  // median
};

// What was measured of a filter.
struct FilterTimes {
  std::string filter;
  std::string before;                   // the schedule that was taken without these measurements
  std::vector<TimedSchedule> measured;  // the fastest first
  std::vector<std::string> untried;     // for lack of time
};

}  // namespace lacuna
