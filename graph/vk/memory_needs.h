#pragma once
// What a device asks for the resources of passes, before any is made: the input of place().

#include "graph/frame/arena_plan.h"
#include "graph/vk/device_impl.h"

namespace lacuna::vk {

// One arena for all where a memory type of the device holds buffers and images, else one for buffers and one
// for images. Throws DeviceError for what is too large to allocate at once.
MemoryNeeds memoryNeeds(const Device::Impl& device, const Passes& passes);

}  // namespace lacuna::vk
