#pragma once
// VkResult -> DeviceError.

#include <volk.h>

#include <string_view>
#include <vector>

#include "graph/vk/device.h"

namespace lacuna::vk {

std::string_view resultName(VkResult result);

// Throws DeviceError "the device refused <what>: out of device memory" unless the call succeeded.
void check(VkResult result, std::string_view what);

// The list of function(arguments..., &count, elements), each element as `empty` before.
template <class Element, class Function, class... Arguments>
std::vector<Element> enumerate(std::string_view what, const Element& empty, Function function,
                               Arguments... arguments) {
  uint32_t count = 0;
  check(function(arguments..., &count, nullptr), what);
  std::vector<Element> all(count, empty);
  check(function(arguments..., &count, all.data()), what);
  all.resize(count);
  return all;
}

// Vulkan's structures start with their type; the rest is zero until set.
template <class Structure>
Structure typed(VkStructureType type, void* next = nullptr) {
  Structure result{};
  result.sType = type;
  result.pNext = next;
  return result;
}

}  // namespace lacuna::vk
