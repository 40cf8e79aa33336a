#pragma once
// VkResult -> DeviceError.

#include <volk.h>

#include <string>
#include <string_view>

#include "graph/vk/device.h"

namespace lacuna::vk {

std::string_view resultName(VkResult result);

// Throws DeviceError "the device refused <what>: out of device memory" unless the call succeeded.
void check(VkResult result, std::string_view what);

}  // namespace lacuna::vk
