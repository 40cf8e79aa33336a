#pragma once
// A graph's frames on several devices at once. Parts of neighbouring frames go to whichever device is free;
// one that fails leaves what it hasn't finished to the others.

#include <functional>
#include <string>
#include <vector>

#include "lacuna/lacuna.h"

namespace lacuna {

struct PartedRun {
  std::vector<FrameSet> parts;                    // as users number them
  std::function<Graph(const FrameSet&)> graphOf;  // of a part; called on several threads
  PipelineOptions pipeline;
  RunOptions run;  // callbacks are called by one thread at a time, `cancelled` by any; progress has all
                   // devices' sums
};

struct PartedResult {
  RunResult run;
  std::vector<std::string> failed;  // devices, and why, such as "llvmpipe (...): the device was lost"
  FrameSet left;                    // frames that no device is left for
};

// Throws the first error that is no device's, when all threads have ended.
PartedResult runOnDevices(std::vector<Device>& devices, const PartedRun& asked);

}  // namespace lacuna
