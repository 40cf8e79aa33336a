#include "graph/vk/result.h"

#include <fmt/format.h>

namespace lacuna::vk {

std::string_view resultName(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return "success";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "initialization failed";
    case VK_ERROR_DEVICE_LOST:
      return "device lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "memory can't be mapped";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "layer not present";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "extension not present";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "feature not present";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "no compatible driver";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "too many objects";
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return "out of pool memory";
    case VK_ERROR_INVALID_SHADER_NV:
      return "invalid shader";
    default:
      return "unknown error";
  }
}

void check(VkResult result, std::string_view what) {
  if (result < VK_SUCCESS) {
    throw DeviceError(
        fmt::format("the device refused {}: {} ({})", what, resultName(result), static_cast<int>(result)));
  }
}

}  // namespace lacuna::vk
