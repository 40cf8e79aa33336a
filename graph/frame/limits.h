#pragma once
// Needs: a schedule's resources and passes. Finds everything that a device can't run, so that nothing too
// large reaches it: buffers beyond what a shader may bind, images beyond the longest side, resources beyond
// one allocation, workgroups, shared memory and bindings of a dispatch, arrays of f16.

#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "graph/device_model.h"
#include "graph/passes/pass.h"

namespace lacuna {

struct BeyondLimit {
  PassId pass;
  std::string what;  // "buffer x has 2.0 MiB (2097152 bytes), the device binds at most 1.0 MiB"
};

// Accesses to missing resources are ignored.
std::vector<BeyondLimit> beyondLimits(const Passes& schedule, const DeviceModel& device);

// The same as errors, at the place of each pass's module.
void reportLimits(const Passes& schedule, const DeviceModel& device, Diagnostics& diagnostics);

// "1.5 MiB"
std::string humanBytes(uint64_t bytes);

}  // namespace lacuna
