#include "graph/vk/pipelines.h"

#include <fmt/format.h>

#include <cstring>

#include "graph/parallel.h"
#include "graph/vk/device_choice.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/result.h"
#include "graph/watched.h"

namespace lacuna::vk {
namespace {

template <class T>
void append(std::string& key, const std::vector<T>& values) {
  const uint64_t count = values.size();
  key.append(reinterpret_cast<const char*>(&count), sizeof count);
  key.append(reinterpret_cast<const char*>(values.data()), count * sizeof(T));
}

std::string keyOf(const PipelineRecipe& recipe) {
  std::string key;
  append(key, std::vector<uint32_t>{recipe.pushBytes, recipe.subgroupSize});
  append(key, recipe.specialization);
  append(key, recipe.bindings);
  append(key, *recipe.spirv);
  return key;
}

Handle<VkDescriptorSetLayout> makeSetLayout(const Device::Impl& device, const PipelineRecipe& recipe) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const BindingLayout& layout : recipe.bindings)
    bindings.push_back({layout.binding, layout.type, layout.count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  auto info = typed<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  return make(device.handle(), device.vk.vkCreateDescriptorSetLayout, device.vk.vkDestroyDescriptorSetLayout,
              info, "a descriptor set layout");
}

Handle<VkPipelineLayout> makeLayout(const Device::Impl& device, VkDescriptorSetLayout set,
                                    uint32_t pushBytes) {
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
  auto info = typed<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  info.setLayoutCount = 1;
  info.pSetLayouts = &set;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  return make(device.handle(), device.vk.vkCreatePipelineLayout, device.vk.vkDestroyPipelineLayout, info,
              "a pipeline layout");
}

// The driver's compiled code of one pipeline, kept from process to process. This data only saves time:
// without it, the driver compiles.
class KeptPipeline {
 public:
  KeptPipeline(const Device::Impl& device, const PipelineFiles& files, const std::string& key)
      : device_(device), files_(files), key_(key) {
    if (!files.read)
      return;
    const std::vector<std::byte> data = files.read(key);
    isKept_ = isOurs(data);
    auto info = typed<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = isKept_ ? data.size() : 0;
    info.pInitialData = data.data();
    VkPipelineCache cache = nullptr;
    if (device.vk.vkCreatePipelineCache(device.handle(), &info, nullptr, &cache) == VK_SUCCESS)
      cache_ = {device.handle(), cache, device.vk.vkDestroyPipelineCache};
  }

  VkPipelineCache cache() const { return cache_.get(); }

  // After the pipeline was made.
  void keep() const {
    size_t size = 0;
    if (isKept_ || cache() == nullptr ||
        device_.vk.vkGetPipelineCacheData(device_.handle(), cache(), &size, nullptr) != VK_SUCCESS ||
        size <= sizeof(VkPipelineCacheHeaderVersionOne))
      return;
    std::vector<std::byte> data(size);
    if (device_.vk.vkGetPipelineCacheData(device_.handle(), cache(), &size, data.data()) == VK_SUCCESS) {
      data.resize(size);
      files_.write(key_, data);
    }
  }

 private:
  // Drivers may trust such data, so data of another device or driver is held back.
  bool isOurs(const std::vector<std::byte>& data) const {
    VkPipelineCacheHeaderVersionOne header{};
    if (data.size() < sizeof header)
      return false;
    std::memcpy(&header, data.data(), sizeof header);
    VkPhysicalDeviceProperties properties{};
    device_.physical.vk->vkGetPhysicalDeviceProperties(device_.physical.handle, &properties);
    return header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           header.vendorID == properties.vendorID && header.deviceID == properties.deviceID &&
           std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
  }

  const Device::Impl& device_;
  const PipelineFiles& files_;
  const std::string& key_;
  bool isKept_ = false;
  Handle<VkPipelineCache> cache_;
};

Handle<VkPipeline> makePipeline(const Device::Impl& device, VkPipelineLayout layout,
                                const PipelineRecipe& recipe, VkPipelineCache cache) {
  auto code = typed<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  code.codeSize = recipe.spirv->size() * sizeof(uint32_t);
  code.pCode = recipe.spirv->data();
  const Handle<VkShaderModule> shader =
      make(device.handle(), device.vk.vkCreateShaderModule, device.vk.vkDestroyShaderModule, code,
           "the shader of " + recipe.pass);
  setName(device.names, device.handle(), shader.get(), recipe.pass);

  std::vector<VkSpecializationMapEntry> entries;
  for (uint32_t i = 0; i < recipe.specialization.size(); ++i)
    entries.push_back({i, i * static_cast<uint32_t>(sizeof(int32_t)), sizeof(int32_t)});
  const VkSpecializationInfo constants{static_cast<uint32_t>(entries.size()), entries.data(),
                                       entries.size() * sizeof(int32_t), recipe.specialization.data()};
  auto info = typed<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader.get();
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  auto subgroups = typed<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  subgroups.requiredSubgroupSize = recipe.subgroupSize;
  if (recipe.subgroupSize > 0) {
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    info.stage.pNext = &subgroups;
  }
  info.layout = layout;
  if (device.keepsStatistics)
    info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  const Compiling work("the pipeline of " + recipe.pass);
  VkPipeline pipeline = nullptr;
  check(device.vk.vkCreateComputePipelines(device.handle(), cache, 1, &info, nullptr, &pipeline),
        "the pipeline of " + recipe.pass);
  setName(device.names, device.handle(), pipeline, recipe.pass);
  return {device.handle(), pipeline, device.vk.vkDestroyPipeline};
}

std::shared_ptr<const Pipeline> build(const Device::Impl& device, const PipelineRecipe& recipe,
                                      const std::string& key, const PipelineFiles& files) {
  const KeptPipeline kept(device, files, key);
  Pipeline result;
  result.setLayout = makeSetLayout(device, recipe);
  result.layout = makeLayout(device, result.setLayout.get(), recipe.pushBytes);
  result.pipeline = makePipeline(device, result.layout.get(), recipe, kept.cache());
  kept.keep();
  return std::make_shared<const Pipeline>(std::move(result));
}

std::string textOf(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
      return statistic.value.b32 == VK_TRUE ? "yes" : "no";
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
      return fmt::format("{}", statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
      return fmt::format("{}", statistic.value.u64);
    default:
      return fmt::format("{}", statistic.value.f64);
  }
}

}  // namespace

std::vector<std::shared_ptr<const Pipeline>> PipelineStore::get(Device::Impl& device,
                                                                const std::vector<PipelineRecipe>& recipes,
                                                                const PipelineFiles& files) {
  std::vector<std::string> keys;
  std::unordered_map<std::string, size_t> missing;  // key -> the first recipe with it
  for (size_t i = 0; i < recipes.size(); ++i) {
    keys.push_back(keyOf(recipes[i]));
    const std::scoped_lock lock(mutex_);
    if (made_.count(keys[i]) == 0)
      missing.emplace(keys[i], i);
  }
  const std::vector<std::pair<std::string, size_t>> todo(missing.begin(), missing.end());
  inParallel(todo.size(), [&](size_t i) {
    std::shared_ptr<const Pipeline> pipeline = build(device, recipes[todo[i].second], todo[i].first, files);
    const std::scoped_lock lock(mutex_);
    made_.emplace(todo[i].first, std::move(pipeline));
  });
  std::vector<std::shared_ptr<const Pipeline>> result;
  const std::scoped_lock lock(mutex_);
  for (const std::string& key : keys)
    result.push_back(made_.at(key));
  return result;
}

size_t PipelineStore::size() const {
  const std::scoped_lock lock(mutex_);
  return made_.size();
}

bool tellsStatistics(const Physical& physical) {
  return hasExtension(physical, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
}

VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statisticsFeatures(void* next) {
  auto features = typed<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
  features.pNext = next;
  features.pipelineExecutableInfo = VK_TRUE;
  return features;
}

std::vector<ShaderStatistic> statisticsOf(const Device::Impl& device, VkPipeline pipeline) {
  auto info = typed<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
  info.pipeline = pipeline;  // a compute pipeline has one executable, the first
  const auto empty =
      typed<VkPipelineExecutableStatisticKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR);
  std::vector<ShaderStatistic> result;
  for (const auto& statistic :
       enumerate("statistics of a shader", empty, device.vk.vkGetPipelineExecutableStatisticsKHR,
                 device.handle(), &info))
    result.push_back({statistic.name, textOf(statistic)});
  return result;
}

}  // namespace lacuna::vk
