#pragma once
// A graph's frames on several devices at once. Parts of neighbouring frames go to the next free device;
// unfinished parts of a device that fails go to the others.

#include <functional>
#include <string>
#include <vector>

#include "lacuna/lacuna.h"

namespace lacuna {

struct PartedRun {
  std::vector<FrameSet> parts;                    // as users number them
  std::function<Graph(const FrameSet&)> graphOf;  // of a part; called on several threads
  PipelineOptions pipeline;
  RunOptions run;  // callbacks are called by one thread at a time, except `cancelled`; progress counts the
                   // frames of all devices devices' sums
};

struct PartedResult {
  RunResult run;
  std::vector<std::string> failed;  // devices, and why, such as "llvmpipe (...): the device was lost"
  FrameSet left;                    // frames that no device is left for
};

// When all threads have ended, throws the first error that isn't a device's.
PartedResult runOnDevices(std::vector<Device>& devices, const PartedRun& asked);

}  // namespace lacuna
