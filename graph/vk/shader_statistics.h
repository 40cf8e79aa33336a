#pragma once
// What the driver says of compiled shaders: registers, memory, whatever it counts
// (VK_KHR_pipeline_executable_properties).

#include <volk.h>

#include <vector>

#include "graph/vk/device.h"
#include "graph/vk/executable.h"

namespace lacuna::vk {

bool tellsStatistics(VkPhysicalDevice physical);
VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statisticsFeatures(void* next);

// Needs: a pipeline that was made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR.
std::vector<ShaderStatistic> statisticsOf(const Device::Impl& device, VkPipeline pipeline);

}  // namespace lacuna::vk
