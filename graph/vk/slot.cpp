#include "graph/vk/slot.h"

#include "graph/vk/structure.h"

namespace lacuna::vk {
namespace {

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

}  // namespace

Slot::Slot(const SharedParts& shared)
    : shared_(shared),
      host_(shared.device, shared.schedule),
      sets_(shared.device, shared.schedule, shared.resources, host_, shared.pipelines),
      commandPool_(makeCommandPool(shared.device)),
      commands_(allocateCommands(shared.device, commandPool_.get())),
      done_(makeFence(shared.device)) {}

Slot::~Slot() {
  if (inFlight_) {
    VkFence done = done_.get();
    shared_.device.vk.vkWaitForFences(shared_.device.handle(), 1, &done, VK_TRUE, UINT64_MAX);
  }
}

void Slot::submit(const Frame& frame, Timed timed) {
  Device::Impl& device = shared_.device;
  const VolkDeviceTable& vk = device.vk;
  if (timed != Timed::no && (!queries_ || queries_->isPerPass() != (timed == Timed::perPass))) {
    queries_ = std::make_unique<TimingQueries>(device, shared_.schedule, timed == Timed::perPass);
  }
  host_.beforeSubmit(device, shared_.schedule, frame);
  record(frame, timed == Timed::no ? nullptr : queries_.get());
  VkFence done = done_.get();
  auto info = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;
  check(vk.vkResetFences(device.handle(), 1, &done), "a fence");
  {
    const std::scoped_lock lock(device.queueMutex);
    check(vk.vkQueueSubmit(device.queue, 1, &info, done), "a frame");
  }
  timed_ = timed;
  inFlight_ = true;
}

void Slot::record(const Frame& frame, const TimingQueries* timing) {
  const Device::Impl& device = shared_.device;
  const VolkDeviceTable& vk = device.vk;
  check(vk.vkResetCommandPool(device.handle(), commandPool_.get(), 0), "a command pool");
  auto begin = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vk.vkBeginCommandBuffer(commands_, &begin), "a command buffer");
  vk::record({device, shared_.schedule, shared_.resources, host_, shared_.pipelines, sets_}, commands_, frame,
             timing);
  check(vk.vkEndCommandBuffer(commands_), "the commands of a frame");
}

Timings Slot::wait() {
  if (!inFlight_) {
    return {};
  }
  const Device::Impl& device = shared_.device;
  VkFence done = done_.get();
  check(device.vk.vkWaitForFences(device.handle(), 1, &done, VK_TRUE, UINT64_MAX), "a frame");
  inFlight_ = false;
  host_.afterWait(device);
  return timed_ == Timed::no ? Timings() : queries_->read();
}

}  // namespace lacuna::vk
