#pragma once
// Vulkan's structures start with their type; the rest is zero until set.

#include <volk.h>

namespace lacuna::vk {

template <class Structure>
Structure typed(VkStructureType type) {
  Structure result{};
  result.sType = type;
  return result;
}

}  // namespace lacuna::vk
