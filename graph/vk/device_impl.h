#pragma once
// What the other files of graph/vk need from an open device.

#include <volk.h>

#include <memory>
#include <mutex>

#include "graph/vk/device.h"
#include "graph/vk/given.h"
#include "graph/vk/handles.h"
#include "graph/vk/instance.h"
#include "graph/vk/pipelines.h"

namespace lacuna::vk {

struct DeviceDeleter {
  PFN_vkDestroyDevice destroy = nullptr;  // null for a program's device
  void operator()(VkDevice device) const {
    if (destroy != nullptr)
      destroy(device, nullptr);
  }
};

// Not by volk's global functions, which belong to no device.
void loadFunctions(VolkDeviceTable& table, VkDevice device, PFN_vkGetDeviceProcAddr functionOf);

struct Device::Impl {
  explicit Impl(const DeviceOptions& options);  // chooses a device and opens it
  explicit Impl(const VulkanDevice& given);
  VkDevice handle() const { return device.get(); }

  Instance instance;
  DebugNames names;
  Physical physical;
  DeviceInfo info;
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceMemoryProperties memory{};
  uint32_t queueFamily = 0;
  uint32_t timestampBits = 0;
  bool keepsStatistics = false;  // of shaders
  std::function<bool(uint64_t bytes)> mayAllocate;
  bool poisonsMemory = false;
  VulkanAllocator allocator;  // of a program's device

  VolkDeviceTable vk{};
  PFN_vkCmdPipelineBarrier2 pipelineBarrier2 = nullptr;             // of Vulkan 1.3 or the extension
  PFN_vkGetCalibratedTimestampsEXT calibratedTimestamps = nullptr;  // null if clocks can't be related
  std::unique_ptr<VkDevice_T, DeviceDeleter> device;
  VkQueue queue = nullptr;
  std::mutex queueMutex;
  Handle<VkSampler> nearest;
  PipelineStore pipelines;

 private:
  void load(uint32_t queueIndex, bool relatesTheirClocks);
};

}  // namespace lacuna::vk
