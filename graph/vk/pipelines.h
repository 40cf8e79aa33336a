#pragma once
// Compute pipelines: made in parallel, once for the same SPIR-V, constants and bindings.

#include <volk.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/vk/device.h"
#include "graph/vk/executable.h"
#include "graph/vk/handles.h"

namespace lacuna::vk {

struct BindingLayout {
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  uint32_t count = 1;
};

struct PipelineRecipe {
  std::string pass;  // for messages
  std::shared_ptr<const std::vector<uint32_t>> spirv;
  std::vector<int32_t> specialization;
  std::vector<BindingLayout> bindings;
  uint32_t pushBytes = 0;
  uint32_t subgroupSize = 0;  // each full; 0: the driver's choice
};

struct Pipeline {
  Handle<VkDescriptorSetLayout> setLayout;
  Handle<VkPipelineLayout> layout;
  Handle<VkPipeline> pipeline;
};

class PipelineStore {
 public:
  // One for each recipe, in their order. Throws DeviceError.
  std::vector<std::shared_ptr<const Pipeline>> get(Device::Impl& device,
                                                   const std::vector<PipelineRecipe>& recipes,
                                                   const PipelineFiles& files);
  size_t size() const;

 private:
  mutable std::mutex mutex_;
  // The key is everything that a pipeline is made from, byte for byte, so that no two are confused.
  std::unordered_map<std::string, std::shared_ptr<const Pipeline>> made_;
};

// The driver's statistics of compiled shaders: registers, memory, and other counts
// (VK_KHR_pipeline_executable_properties).
bool tellsStatistics(const Physical& physical);
VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statisticsFeatures(void* next);

// Needs: a pipeline that was made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR.
std::vector<ShaderStatistic> statisticsOf(const Device::Impl& device, VkPipeline pipeline);

}  // namespace lacuna::vk
