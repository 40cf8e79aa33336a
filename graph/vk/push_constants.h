#pragma once
// What a dispatch is pushed: Pass::pushConstants, the frame, and addresses of buffers.

#include <cstdint>
#include <vector>

#include "graph/frame/schedule.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/executable.h"
#include "graph/vk/resources.h"

namespace lacuna::vk {

uint32_t pushBytes(const Pass& pass);

std::vector<int32_t> pushConstants(const Device::Impl& device, const Pass& pass, const Frame& frame,
                                   const FrameResources& resources);

}  // namespace lacuna::vk
