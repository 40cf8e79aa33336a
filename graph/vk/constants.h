#pragma once
// The constant arrays of a schedule (weights), written before its first frame.

#include "graph/vk/resources.h"

namespace lacuna::vk {

// Copies all Resource::contents to the device and waits. Throws DeviceError.
void writeConstants(Device::Impl& device, const Schedule& schedule, const Resources& resources);

}  // namespace lacuna::vk
