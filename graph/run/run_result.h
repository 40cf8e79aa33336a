#pragma once
// Reports of a run, during it and at its end. Installed: lacuna.h includes it.

#include <string>
#include <vector>

#include "graph/files/frame_set.h"

namespace lacuna {

struct RunProgress {
  int frame = 0;          // the frame that was finished last
  bool isWarmUp = false;  // its results aren't wanted, but later frames depend on it
  std::string damaged;    // why it was skipped (GraphOptions::skipDamaged); else empty
  int done = 0, total = 0;
  int warmedUp = 0, warmUpTotal = 0;
  double seconds = 0.0;                                                // since the start
  double readSeconds = 0.0, computeSeconds = 0.0, writeSeconds = 0.0;  // of this frame
  std::vector<double> passMs;  // of PlanReport::passes, with RunOptions::timesPasses
};

struct RunResult {
  int done = 0;            // frames that were computed and written
  int warmedUp = 0;        // frames of the warm-up
  FrameSet damaged;        // frames that were skipped, also in the warm-up
  bool cancelled = false;  // ended before all were done
};

}  // namespace lacuna
