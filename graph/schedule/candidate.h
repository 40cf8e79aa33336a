#pragma once
// The possible schedules of a filter (a stencil chain, or a kernel with variants) and its choice: for plans,
// for tuning, and for users. Installed: lacuna.h includes it.

#include <cstdint>
#include <string>
#include <vector>

namespace lacuna {

// The families of stencil chains' schedules, the plainest first: "baseline", "rows2", ... Each is a name for
// PipelineOptions::schedules.
std::vector<std::string> scheduleFamilies();

// A schedule that a filter could run as.
struct ScheduleCandidate {
  std::string name;      // "rows4@32x4/buffer/gathered"
  std::string family;    // "rows"; for a kernel the variant, whose schedules differ in details
  bool exact = true;     // otherwise its result differs, and only its name selects it
  std::string rejected;  // why the device can't run it; if empty, it can, and the rest is set
  int passes = 0;
  uint64_t bytes = 0;    // read and written by all passes, each pixel once a pass
  double ms = 0.0;       // 0: unknown, as for kernels that state no cost
  std::string measured;  // the day; empty if ms is an estimate
};

// A filter's schedule, and the reason for it.
struct FilterChoice {
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

// The measurements of a filter.
struct FilterTimes {
  std::string filter;
  std::string before;                   // the schedule that was taken without these measurements
  std::vector<TimedSchedule> measured;  // the fastest first
  std::vector<std::string> untried;     // for lack of time
};

}  // namespace lacuna
