#include "graph/vk/image_format.h"

#include "graph/vk/device.h"

namespace lacuna::vk {

VkFormat vulkanFormat(ImageFormat format) {
  switch (format) {
    case ImageFormat::rgba16f:
      return VK_FORMAT_R16G16B16A16_SFLOAT;
    case ImageFormat::rgba32f:
      return VK_FORMAT_R32G32B32A32_SFLOAT;
    case ImageFormat::r32f:
      return VK_FORMAT_R32_SFLOAT;
    case ImageFormat::r32ui:
      return VK_FORMAT_R32_UINT;
    case ImageFormat::rg32ui:
      return VK_FORMAT_R32G32_UINT;
    case ImageFormat::rgba32ui:
      return VK_FORMAT_R32G32B32A32_UINT;
  }
  throw DeviceError("an image of no known format");
}

}  // namespace lacuna::vk
