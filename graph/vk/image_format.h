#pragma once
// The image formats as Vulkan knows them.

#include <volk.h>

#include <array>

#include "graph/frame/schedule.h"

namespace lacuna::vk {

constexpr std::array<ImageFormat, 6> allImageFormats = {ImageFormat::rgba16f, ImageFormat::rgba32f,
                                                        ImageFormat::r32f,    ImageFormat::r32ui,
                                                        ImageFormat::rg32ui,  ImageFormat::rgba32ui};

VkFormat vulkanFormat(ImageFormat format);

}  // namespace lacuna::vk
