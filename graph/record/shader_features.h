#pragma once
// What compiled shaders use of a device beyond what every graph needs, by their capabilities.

#include "graph/vk/device.h"
#include "graph/vk/executable.h"
#include "graph/vk/given.h"

namespace lacuna::vk {

// What a device must be made with to run them. `apiVersion`: its own, or the program's if that is lower.
VulkanFeatures featuresOf(const Code& spirv, uint32_t apiVersion);

// What shaders use and this device lacks, or was made without: "shaderFloat16, cooperativeMatrix"; "" if it
// can run them. `lanes`: invocations that its subgroups must have; 0: any number.
std::string missingFor(const Code& spirv, uint32_t lanes, const Limits& limits);

}  // namespace lacuna::vk
