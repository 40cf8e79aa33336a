#include "graph/vk/constants.h"

#include <cstring>
#include <vector>

#include "graph/vk/commands.h"
#include "graph/vk/memory.h"
#include "graph/vk/result.h"

namespace lacuna::vk {

void writeConstants(Device::Impl& device, const Schedule& schedule, const Resources& resources) {
  const VolkDeviceTable& vk = device.vk;
  uint64_t bytes = 0;
  std::vector<ResourceId> constants;
  for (const ResourceId id : schedule.resources.ids()) {
    const Resource& resource = schedule.resources[id];
    if (resource.contents != nullptr && resources.buffer(id) != nullptr) {
      constants.push_back(id);
      bytes += resource.contents->size();
    }
  }
  if (constants.empty()) {
    return;
  }
  const HostBuffer staging(device, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, HostUse::write,
                           "the staging memory of constants");
  const Handle<VkCommandPool> pool = makeCommandPool(device);
  VkCommandBuffer commands = allocateCommands(device, pool.get());
  const Handle<VkFence> done = makeFence(device);
  beginOnce(device, commands);
  uint64_t offset = 0;
  for (const ResourceId id : constants) {
    const std::vector<std::byte>& contents = *schedule.resources[id].contents;
    std::memcpy(staging.bytes().data() + offset, contents.data(), contents.size());
    const VkBufferCopy region{offset, 0, contents.size()};
    vk.vkCmdCopyBuffer(commands, staging.buffer(), resources.buffer(id), 1, &region);
    offset += contents.size();
  }
  staging.flush(device);
  check(vk.vkEndCommandBuffer(commands), "the commands that write constants");
  submit(device, commands, done.get());
  waitFor(device, done.get());
}

}  // namespace lacuna::vk
