#pragma once
// What a graph will ask a program's allocator for, before any is allocated.

#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/vk/device.h"
#include "graph/vk/given.h"

namespace lacuna::vk {

// The allocations of an Executable of these passes with so many slots, in their order. Throws DeviceError.
std::vector<MemoryRequest> memoryRequests(Device& device, const FrameGraph& passes, int slots);

}  // namespace lacuna::vk
