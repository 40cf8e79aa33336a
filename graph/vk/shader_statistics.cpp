#include "graph/vk/shader_statistics.h"

#include <fmt/format.h>

#include "graph/vk/device_choice.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/structure.h"

namespace lacuna::vk {
namespace {

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

bool tellsStatistics(VkPhysicalDevice physical) {
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
  uint32_t count = 0;
  check(device.vk.vkGetPipelineExecutableStatisticsKHR(device.handle(), &info, &count, nullptr),
        "statistics of a shader");
  std::vector<VkPipelineExecutableStatisticKHR> statistics(
      count, typed<VkPipelineExecutableStatisticKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR));
  check(device.vk.vkGetPipelineExecutableStatisticsKHR(device.handle(), &info, &count, statistics.data()),
        "statistics of a shader");
  std::vector<ShaderStatistic> result;
  for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
    result.push_back({statistic.name, textOf(statistic)});
  }
  return result;
}

}  // namespace lacuna::vk
