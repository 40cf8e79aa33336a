#include "graph/vk/push_constants.h"

#include <algorithm>

#include "graph/vk/structure.h"

namespace lacuna::vk {
namespace {

size_t addressCount(const Pass& pass) {
  return static_cast<size_t>(std::count_if(pass.accesses.begin(), pass.accesses.end(),
                                           [](const Access& access) { return access.byAddress; }));
}

// Words before the first address, which is a uvec2.
size_t wordsBefore(const Pass& pass) {
  const size_t words = pass.pushConstants.size() + 2;
  return addressCount(pass) > 0 ? words + words % 2 : words;
}

}  // namespace

uint32_t pushBytes(const Pass& pass) {
  return static_cast<uint32_t>((wordsBefore(pass) + 2 * addressCount(pass)) * sizeof(int32_t));
}

std::vector<int32_t> pushConstants(const Device::Impl& device, const Pass& pass, const Frame& frame,
                                   const FrameResources& resources) {
  std::vector<int32_t> words = pass.pushConstants;
  words.push_back(frame.index);
  words.push_back(frame.first ? 1 : 0);
  words.resize(wordsBefore(pass));
  for (const Access& access : pass.accesses) {
    if (access.byAddress) {
      auto info = typed<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
      info.buffer = resources.buffer(access.resource);
      const uint64_t address = device.vk.vkGetBufferDeviceAddress(device.handle(), &info);
      words.push_back(static_cast<int32_t>(address & 0xffffffffU));
      words.push_back(static_cast<int32_t>(address >> 32U));
    }
  }
  return words;
}

}  // namespace lacuna::vk
