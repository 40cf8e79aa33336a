#include "graph/vk/device.h"

#include <algorithm>

#include "graph/vk/device_choice.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/given_device.h"
#include "graph/vk/matrices.h"
#include "graph/vk/pipelines.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

std::unique_ptr<VkDevice_T, DeviceDeleter> open(const Device::Impl& impl) {
  FeatureChain features;
  requireFeatures(features, impl.info.limits);
  const float priority = 1.0F;
  auto queue = typed<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = impl.queueFamily;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = typed<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  const MatrixFeatures matrices(impl.physical, impl.info.limits, &features.core);
  const auto statistics = statisticsFeatures(const_cast<void*>(matrices.first()));
  info.pNext = impl.keepsStatistics ? static_cast<const void*>(&statistics) : matrices.first();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  std::vector<const char*> extensions = matrices.extensions();
  if (impl.info.apiVersion < VK_API_VERSION_1_3)
    extensions.push_back(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
  if (relatesClocks(impl.physical))
    extensions.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  if (impl.keepsStatistics)
    extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VkDevice device = nullptr;
  const InstanceTable& vk = *impl.physical.vk;
  check(vk.vkCreateDevice(impl.physical.handle, &info, nullptr, &device), "to be opened");
  const auto destroy =
      reinterpret_cast<PFN_vkDestroyDevice>(vk.vkGetDeviceProcAddr(device, "vkDestroyDevice"));
  return {device, DeviceDeleter{destroy}};
}

void readProperties(Device::Impl& impl, uint32_t queueFamily) {
  const InstanceTable& vk = *impl.physical.vk;
  VkPhysicalDeviceProperties properties{};
  vk.vkGetPhysicalDeviceProperties(impl.physical.handle, &properties);
  impl.limits = properties.limits;
  vk.vkGetPhysicalDeviceMemoryProperties(impl.physical.handle, &impl.memory);
  impl.queueFamily = queueFamily;
  impl.timestampBits = queueFamilies(impl.physical)[impl.queueFamily].timestampValidBits;
}

Handle<VkSampler> makeSampler(const Device::Impl& impl) {
  auto info = typed<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  info.magFilter = VK_FILTER_NEAREST;
  info.minFilter = VK_FILTER_NEAREST;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return make(impl.handle(), impl.vk.vkCreateSampler, impl.vk.vkDestroySampler, info, "a sampler");
}

}  // namespace

Device::Impl::Impl(const DeviceOptions& options) : instance(options.validate), names(instance.debugNames()) {
  const std::vector<Candidate> candidates = findDevices(instance);
  const Candidate& chosen = chooseDevice(candidates, options.select);
  physical = chosen.physical;
  info = chosen.info;
  mayAllocate = options.mayAllocate;
  poisonsMemory = options.poisonsMemory;
  if (options.maxAllocation > 0)
    info.limits.maxAllocation = std::min(info.limits.maxAllocation, options.maxAllocation);
  if (options.maxStorageBufferRange > 0) {
    info.limits.maxStorageBufferRange =
        std::min(info.limits.maxStorageBufferRange, options.maxStorageBufferRange);
  }
  if (options.matrices < info.limits.matrices) {
    info.limits.matrices = bestMatrices(info.matrixShapes, options.matrices);
    info.limits.workgroupMatrices = false;
  }
  keepsStatistics = options.shaderStatistics && tellsStatistics(physical);
  readProperties(*this, static_cast<uint32_t>(computeQueueFamily(physical)));
  device = open(*this);
  load(0, relatesClocks(physical));
}

Device::Impl::Impl(const VulkanDevice& given)
    : instance(given.instance, given.getInstanceProcAddr), names(instance.debugNames()) {
  if (given.physicalDevice == nullptr || given.device == nullptr)
    throw DeviceError("the program's device needs its VkPhysicalDevice and VkDevice, but one is null");
  physical = {given.physicalDevice, &instance.functions()};
  info = infoAsCreated(given, physical);
  allocator = given.allocator;
  readProperties(*this, given.queueFamily);
  device = {given.device, DeviceDeleter{}};
  load(given.queue,
       contains(given.extensions, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) && relatesClocks(physical));
}

void Device::Impl::load(uint32_t queueIndex, bool relatesTheirClocks) {
  loadFunctions(vk, handle(), physical.vk->vkGetDeviceProcAddr);
  pipelineBarrier2 =
      info.apiVersion < VK_API_VERSION_1_3 ? vk.vkCmdPipelineBarrier2KHR : vk.vkCmdPipelineBarrier2;
  calibratedTimestamps = relatesTheirClocks ? vk.vkGetCalibratedTimestampsEXT : nullptr;
  vk.vkGetDeviceQueue(handle(), queueFamily, queueIndex, &queue);
  setName(names, handle(), queue, "frames");
  nearest = makeSampler(*this);
}

Device::Device(const DeviceOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Device::Device(const VulkanDevice& given) : impl_(std::make_unique<Impl>(given)) {}
Device::~Device() = default;

const DeviceInfo& Device::info() const {
  return impl_->info;
}

std::vector<std::string> Device::validationMessages() const {
  return impl_->instance.messages().all();
}

size_t Device::pipelineCount() const {
  return impl_->pipelines.size();
}

std::vector<DeviceInfo> listDevices() {
  const Instance instance(false);
  std::vector<DeviceInfo> infos;
  for (Candidate& candidate : findDevices(instance))
    infos.push_back(std::move(candidate.info));
  return infos;
}

}  // namespace lacuna::vk
