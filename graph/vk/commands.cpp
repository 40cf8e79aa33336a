#include "graph/vk/commands.h"

#include "graph/vk/result.h"
#include "graph/vk/structure.h"

namespace lacuna::vk {

Handle<VkCommandPool> makeCommandPool(const Device::Impl& device) {
  auto info = typed<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  info.queueFamilyIndex = device.queueFamily;
  return make(device.handle(), device.vk.vkCreateCommandPool, device.vk.vkDestroyCommandPool, info,
              "a command pool");
}

VkCommandBuffer allocateCommands(const Device::Impl& device, VkCommandPool pool) {
  auto info = typed<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  info.commandPool = pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  VkCommandBuffer commands = nullptr;
  check(device.vk.vkAllocateCommandBuffers(device.handle(), &info, &commands), "a command buffer");
  return commands;
}

Handle<VkFence> makeFence(const Device::Impl& device) {
  const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
  return make(device.handle(), device.vk.vkCreateFence, device.vk.vkDestroyFence, info, "a fence");
}

void beginOnce(const Device::Impl& device, VkCommandBuffer commands) {
  auto begin = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(device.vk.vkBeginCommandBuffer(commands, &begin), "a command buffer");
}

void submit(Device::Impl& device, VkCommandBuffer commands, VkFence done) {
  auto info = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(device.vk.vkResetFences(device.handle(), 1, &done), "a fence");
  const std::scoped_lock lock(device.queueMutex);
  check(device.vk.vkQueueSubmit(device.queue, 1, &info, done), "a frame");
}

void waitFor(const Device::Impl& device, VkFence done) {
  check(device.vk.vkWaitForFences(device.handle(), 1, &done, VK_TRUE, UINT64_MAX), "a frame");
}

}  // namespace lacuna::vk
