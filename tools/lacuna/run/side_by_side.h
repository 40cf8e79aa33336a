#pragma once
// Batches of pictures, small ones several at a time: while the device computes one, others are planned, read
// and written. Within a batch of many pictures its frames do that.

#include <cstdint>
#include <functional>
#include <vector>

#include "tools/lacuna/denoise/graph.h"
#include "tools/shell/arguments.h"

namespace lacuna {

// `work` runs a batch and returns its exit code; batches begin in their order. Opens the devices, unless they
// are open. Nothing begins after a signal. The exit code: that of a signal, or else of the first batch that
// failed.
int runSideBySide(const std::vector<std::vector<size_t>>& batches, const std::vector<DenoiseJob>& jobs,
                  const RunArguments& run, std::vector<Device>& devices,
                  const std::function<int(const std::vector<size_t>&)>& work);

}  // namespace lacuna
