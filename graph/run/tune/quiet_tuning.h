#pragma once
// Whether a run measures a filter's schedules before its first frame, which ones, and for how long. Only for
// filters that nothing is known of, on GPUs (on CPU devices compiling costs more than it brings), and only
// where a run is long: measuring takes at most a tenth of the device time that the filter is expected to take
// over all frames, and at most ten seconds. So a run that gains nothing by it loses a tenth of that at worst,
// once: what was measured is kept. What a kernel takes nobody estimates: of many frames its first runs tell,
// and if they say that measuring doesn't pay, these alone are lost.

#include "graph/run/tune/tune.h"

namespace lacuna {

struct QuietSituation {
  bool cpu = true;
  int frames = 1;       // that are to be run
  bool always = false;  // however long it takes, on any device: for tests
};

FilterPick quietTuning(const FilterPlan& choice, const QuietSituation& situation);

}  // namespace lacuna
