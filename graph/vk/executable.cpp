#include "graph/vk/executable.h"

#include "graph/vk/descriptors.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/host_memory.h"
#include "graph/vk/limits.h"
#include "graph/vk/record.h"
#include "graph/vk/resources.h"
#include "graph/vk/structure.h"
#include "graph/vk/timing.h"

namespace lacuna::vk {
namespace {

using Code = std::vector<std::shared_ptr<const Spirv>>;

std::vector<std::shared_ptr<const Pipeline>> makePipelines(Device::Impl& device, const Schedule& schedule,
                                                           const Code& spirv) {
  std::vector<PipelineRecipe> recipes;
  std::vector<size_t> passes;
  for (size_t i = 0; i < schedule.passes.size(); ++i) {
    const Pass& pass = schedule.passes[i];
    if (pass.kind == PassKind::dispatch) {
      const auto pushBytes = static_cast<uint32_t>((pass.pushConstants.size() + 2) * sizeof(int32_t));
      recipes.push_back({pass.name, spirv[i], pass.specialization, bindingLayouts(pass), pushBytes});
      passes.push_back(i);
    }
  }
  std::vector<std::shared_ptr<const Pipeline>> result(schedule.passes.size());
  const auto made = device.pipelines.get(device, recipes);
  for (size_t i = 0; i < passes.size(); ++i) {
    result[passes[i]] = made[i];
  }
  return result;
}

Schedule checked(const Device::Impl& device, Schedule schedule, const Code& spirv) {
  checkLimits(device, schedule, spirv);
  return schedule;
}

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

struct Executable::Impl {
  Impl(Device::Impl& owner, Schedule plan, const Code& spirv)
      : device(owner),
        schedule(checked(owner, std::move(plan), spirv)),
        resources(owner, schedule),
        host(owner, schedule),
        pipelines(makePipelines(owner, schedule, spirv)),
        sets(owner, schedule, resources, host, pipelines),
        commandPool(makeCommandPool(owner)),
        commands(allocateCommands(owner, commandPool.get())),
        fence(makeFence(owner)) {}

  void run(Frame frame, const TimingQueries* timing);
  void submitAndWait();

  Device::Impl& device;
  Schedule schedule;
  Resources resources;
  HostMemory host;
  std::vector<std::shared_ptr<const Pipeline>> pipelines;
  DescriptorSets sets;
  Handle<VkCommandPool> commandPool;
  VkCommandBuffer commands;  // freed with its pool
  Handle<VkFence> fence;
  bool hasRun = false;
};

void Executable::Impl::run(Frame frame, const TimingQueries* timing) {
  const VolkDeviceTable& vk = device.vk;
  frame.first = frame.first || !hasRun;  // nothing persists from a frame that never was
  host.beforeSubmit(device, schedule, frame);
  check(vk.vkResetCommandPool(device.handle(), commandPool.get(), 0), "a command pool");
  auto begin = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vk.vkBeginCommandBuffer(commands, &begin), "a command buffer");
  record({device, schedule, resources, host, pipelines, sets}, commands, frame, timing);
  check(vk.vkEndCommandBuffer(commands), "the commands of a frame");
  submitAndWait();
  host.afterWait(device);
  hasRun = true;
}

void Executable::Impl::submitAndWait() {
  const VolkDeviceTable& vk = device.vk;
  VkFence done = fence.get();
  auto info = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(vk.vkResetFences(device.handle(), 1, &done), "a fence");
  {
    const std::scoped_lock lock(device.queueMutex);
    check(vk.vkQueueSubmit(device.queue, 1, &info, done), "a frame");
  }
  check(vk.vkWaitForFences(device.handle(), 1, &done, VK_TRUE, UINT64_MAX), "a frame");
}

Executable::Executable(Device& device, Schedule schedule, std::vector<std::shared_ptr<const Spirv>> spirv)
    : impl_(std::make_unique<Impl>(device.impl(), std::move(schedule), spirv)) {}
Executable::~Executable() = default;

std::span<std::byte> Executable::uploadMemory(int pass) {
  return impl_->host.staging(pass).bytes();
}

std::span<const std::byte> Executable::downloadMemory(int pass) {
  return impl_->host.staging(pass).bytes();
}

void Executable::run(const Frame& frame) {
  impl_->run(frame, nullptr);
}

Timings Executable::time(const Frame& frame, bool perPass) {
  const TimingQueries queries(impl_->device, impl_->schedule, perPass);
  impl_->run(frame, &queries);
  return queries.read();
}

const Schedule& Executable::schedule() const {
  return impl_->schedule;
}

}  // namespace lacuna::vk
