#pragma once
// Whether the device can run a schedule, before anything is made for it.

#include "graph/passes/pass.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/executable.h"

namespace lacuna::vk {

// Throws DeviceError with a line for each mistake, naming pass and resource: what exceeds the device's limits
// (frame/limits.h), and what no device could run.
void checkLimits(const Device::Impl& device, const Passes& passes, const Code& spirv);

}  // namespace lacuna::vk
