#pragma once
// Times several schedules against each other: each is tried once, the hopeless ones are dropped, the others
// are timed in alternating rounds, since clocks and neighbours drift, until they are clearly slower than the
// best. Knows no device, so that it can be tested without one.

#include <functional>
#include <string>
#include <vector>

#include "graph/schedule/knowledge.h"

namespace lacuna {

// What is timed.
struct ScheduleTimer {
  std::function<bool(const std::string& schedule)> open;  // false if the device can't run it after all
  // The milliseconds of one run of a schedule that is still timed.
  std::function<double(const std::string& schedule)> time;
  std::function<void(const std::string& schedule)> close;  // gives its memory back
  std::function<double()> seconds;                         // a clock
};

struct RoundsOptions {
  int rounds = 20;        // timed runs of the remaining ones, fewer if they take seconds
  double seconds = 0.0;   // no run begins after these seconds; 0 means no limit
  double bestRuns = 0.0;  // nor after the time of this many runs of the best schedule; 0 means no limit
  double hopeless = 1.4;  // if slower than this many times the best in its first runs: timed no more
  size_t most = 6;        // schedules that are kept open together
  std::string anchor;     // the reference: timed in the rounds however slow it seemed before
  std::function<void(const std::string& schedule)> trying = {};  // called before each first run
  // Further schedules to try, given those timed so far, the fastest first; asked until it returns none.
  std::function<std::vector<std::string>(const std::vector<TimedSchedule>& ranked)> more = {};
};

// `schedules`: the most promising first. At least the first one is timed. The filter's name is left empty.
FilterTimes timeInRounds(const std::vector<std::string>& schedules, const ScheduleTimer& timer,
                         const RoundsOptions& options);

}  // namespace lacuna
