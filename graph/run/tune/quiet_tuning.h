#pragma once
// Whether a run measures a filter's schedules before its first frame, which ones, and for how long. Only for
// filters that nothing is known of, on GPUs (on CPU devices compiling costs more than it brings), and only
// where a run is long: measuring takes at most a tenth of the device time that the filter is expected to take
// over all frames, and at most ten seconds. So a run that gains nothing by it loses a tenth of that at worst,
// once: what was measured is kept. What a kernel takes nobody estimates: of many frames its first runs tell,
// and if they say that measuring doesn't pay, these alone are lost.

#include <string>
#include <vector>

#include "graph/schedule/candidate.h"

namespace lacuna {

struct QuietSituation {
  bool cpu = true;
  int frames = 1;       // that are to be run
  bool always = false;  // however long it takes, on any device: for tests
};

struct QuietTuning {
  std::vector<std::string> schedules;  // to time, the best estimated first; empty: none
  double seconds = 0.0;                // at most
  double bestRuns = 0.0;               // nor longer than so many runs of the fastest; 0: any
  std::vector<std::string> searched;   // of a kernel: variants whose other schedules are tried, too
};

QuietTuning quietTuning(const Choice& choice, const QuietSituation& situation);

}  // namespace lacuna
