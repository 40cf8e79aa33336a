#pragma once
// Command buffers and what tells that they are done.

#include <volk.h>

#include "graph/vk/device_impl.h"

namespace lacuna::vk {

Handle<VkCommandPool> makeCommandPool(const Device::Impl& device);
VkCommandBuffer allocateCommands(const Device::Impl& device, VkCommandPool pool);  // freed with its pool
Handle<VkFence> makeFence(const Device::Impl& device);

void beginOnce(const Device::Impl& device, VkCommandBuffer commands);
void submit(Device::Impl& device, VkCommandBuffer commands, VkFence done);  // the fence is reset first
void waitFor(const Device::Impl& device, VkFence done);

}  // namespace lacuna::vk
