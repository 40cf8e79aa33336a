#pragma once
// The image formats as Vulkan knows them.

#include <volk.h>

#include <array>
#include <string_view>

#include "graph/compile/schedule.h"

namespace lacuna::vk {

constexpr std::array<ImageFormat, 6> allImageFormats = {ImageFormat::rgba16f, ImageFormat::rgba32f,
                                                        ImageFormat::r32f,    ImageFormat::r32ui,
                                                        ImageFormat::rg32ui,  ImageFormat::rgba32ui};

VkFormat vulkanFormat(ImageFormat format);
std::string_view formatName(ImageFormat format);
uint32_t bytesPerTexel(ImageFormat format);

// What a resource holds: bytes of a buffer, or of an image's pixels without padding.
uint64_t contentBytes(const Resource& resource);

}  // namespace lacuna::vk
