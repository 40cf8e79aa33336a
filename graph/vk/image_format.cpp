#include "graph/vk/image_format.h"

#include "graph/vk/device.h"

namespace lacuna::vk {
namespace {

struct Row {
  VkFormat format;
  std::string_view name;
  uint32_t bytes;
};

Row row(ImageFormat format) {
  switch (format) {
    case ImageFormat::rgba16f:
      return {VK_FORMAT_R16G16B16A16_SFLOAT, "rgba16f", 8};
    case ImageFormat::rgba32f:
      return {VK_FORMAT_R32G32B32A32_SFLOAT, "rgba32f", 16};
    case ImageFormat::r32f:
      return {VK_FORMAT_R32_SFLOAT, "r32f", 4};
    case ImageFormat::r32ui:
      return {VK_FORMAT_R32_UINT, "r32ui", 4};
    case ImageFormat::rg32ui:
      return {VK_FORMAT_R32G32_UINT, "rg32ui", 8};
    case ImageFormat::rgba32ui:
      return {VK_FORMAT_R32G32B32A32_UINT, "rgba32ui", 16};
  }
  throw DeviceError("an image of no known format");
}

}  // namespace

VkFormat vulkanFormat(ImageFormat format) {
  return row(format).format;
}
std::string_view formatName(ImageFormat format) {
  return row(format).name;
}
uint32_t bytesPerTexel(ImageFormat format) {
  return row(format).bytes;
}

uint64_t contentBytes(const Resource& resource) {
  if (resource.kind == ResourceKind::buffer) {
    return resource.bytes;
  }
  return static_cast<uint64_t>(resource.width) * resource.height * bytesPerTexel(resource.imageFormat);
}

}  // namespace lacuna::vk
