#include "graph/vk/commands.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "graph/vk/memory.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

void checkFrame(VkResult result, const Running& running) {
  if (result == VK_ERROR_DEVICE_LOST) {
    throw DeviceError(
        fmt::format("{} while it computed {}\n  drivers end what takes too long, such as a loop that never "
                    "ends, and what reads or writes outside its memory",
                    resultName(result), running()));
  }
  check(result, "a frame");
}

}  // namespace

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

void submit(Device::Impl& device, VkCommandBuffer commands, VkFence done, const Running& running) {
  auto info = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(device.vk.vkResetFences(device.handle(), 1, &done), "a fence");
  const std::scoped_lock lock(device.queueMutex);
  checkFrame(device.vk.vkQueueSubmit(device.queue, 1, &info, done), running);
}

void waitFor(const Device::Impl& device, VkFence done, const Running& running) {
  checkFrame(device.vk.vkWaitForFences(device.handle(), 1, &done, VK_TRUE, UINT64_MAX), running);
}

void runOnce(Device::Impl& device, std::string_view what,
             const std::function<void(VkCommandBuffer commands)>& record) {
  const Handle<VkCommandPool> pool = makeCommandPool(device);
  VkCommandBuffer commands = allocateCommands(device, pool.get());
  const Handle<VkFence> done = makeFence(device);
  beginOnce(device, commands);
  record(commands);
  check(device.vk.vkEndCommandBuffer(commands), what);
  const auto running = [what] { return std::string(what); };
  submit(device, commands, done.get(), running);
  waitFor(device, done.get(), running);
}

uint64_t constantBytes(const Passes& passes) {
  uint64_t bytes = 0;
  for (const ResourceId id : usedBy(passes))
    if (const auto& contents = passes.resources[id].contents; contents != nullptr)
      bytes += contents->size();
  return bytes;
}

void writeConstants(Device::Impl& device, const FrameGraph& schedule, const Resources& resources) {
  const uint64_t bytes = constantBytes(schedule);
  if (bytes == 0)
    return;
  const HostBuffer staging(device, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write,
                           "the staging memory of constants", true);
  runOnce(device, "the commands that write constants", [&](VkCommandBuffer commands) {
    uint64_t offset = 0;
    for (const ResourceId id : usedBy(schedule)) {
      if (schedule.resources[id].contents == nullptr)
        continue;
      const std::vector<std::byte>& contents = *schedule.resources[id].contents;
      std::memcpy(staging.bytes().data() + offset, contents.data(), contents.size());
      const VkBufferCopy region{offset, 0, contents.size()};
      device.vk.vkCmdCopyBuffer(commands, staging.buffer(), resources.buffer(id), 1, &region);
      offset += contents.size();
    }
    staging.flush(device);
  });
}

}  // namespace lacuna::vk
