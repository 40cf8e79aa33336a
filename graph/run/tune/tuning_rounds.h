#pragma once
// How several schedules are timed against each other: each tried once, the hopeless ones left, the others
// timed in alternating rounds, since clocks and neighbours drift, until it is clear that they are slower than
// the best. Knows no device, so that it can be tested without one.

#include <functional>
#include <string>
#include <vector>

#include "graph/schedule/measured.h"

namespace lacuna {

// What is timed.
struct ScheduleTimer {
  std::function<bool(const std::string& schedule)> open;    // false: the device can't run it after all
  std::function<double(const std::string& schedule)> time;  // milliseconds of one run, of an open one
  std::function<void(const std::string& schedule)> close;   // gives its memory back
  std::function<double()> seconds;                          // a clock
};

struct RoundsOptions {
  int rounds = 20;        // timed runs of those that stay, fewer where they take seconds
  double seconds = 0.0;   // none is begun after these; 0: all are run
  double bestRuns = 0.0;  // nor after as long as so many runs of the best one take; 0: all are run
  double hopeless = 1.4;  // this many times the best in its first runs: timed no more
  size_t most = 6;        // that are kept open together
  std::string anchor;     // what others are compared with: timed in the rounds however slow it seemed before
  std::function<void(const std::string& schedule)> trying = {};  // told before each first run
  // What else to try, of what was timed so far, the fastest first; asked until it knows of nothing.
  std::function<std::vector<std::string>(const std::vector<TimedSchedule>& ranked)> more = {};
};

// `schedules`: the most promising first. At least the first one is timed. The filter's name is left empty.
FilterTimes timeInRounds(const std::vector<std::string>& schedules, const ScheduleTimer& timer,
                         const RoundsOptions& options);

}  // namespace lacuna
