#pragma once
// Whether a schedule is one that the device can run, before anything is made for it.

#include "graph/passes/pass.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/executable.h"

namespace lacuna::vk {

// Throws DeviceError with a line for each thing that is wrong, naming pass and resource: what is beyond the
// device's limits (frame/limits.h), and what no device could run.
void checkLimits(const Device::Impl& device, const Passes& passes, const Code& spirv);

}  // namespace lacuna::vk
