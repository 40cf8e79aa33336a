#pragma once
// Command buffers and their fences.

#include <volk.h>

#include <functional>
#include <string>
#include <string_view>

#include "graph/vk/device_impl.h"
#include "graph/vk/resources.h"

namespace lacuna::vk {

Handle<VkCommandPool> makeCommandPool(const Device::Impl& device);
VkCommandBuffer allocateCommands(const Device::Impl& device, VkCommandPool pool);  // freed with its pool
Handle<VkFence> makeFence(const Device::Impl& device);

void beginOnce(const Device::Impl& device, VkCommandBuffer commands);
using Running = std::function<std::string()>;  // what the device is computing, for a message if it is lost
// The fence is reset first.
void submit(Device::Impl& device, VkCommandBuffer commands, VkFence done, const Running& running);
void waitFor(const Device::Impl& device, VkFence done, const Running& running);
// Runs the commands that `record` records once, and waits for them. `what` is their name for messages.
void runOnce(Device::Impl& device, std::string_view what,
             const std::function<void(VkCommandBuffer commands)>& record);

// Of all Resource::contents that passes use.
uint64_t constantBytes(const Passes& passes);
// Copies them to the device and waits. Throws DeviceError.
void writeConstants(Device::Impl& device, const FrameGraph& schedule, const Resources& resources);

}  // namespace lacuna::vk
