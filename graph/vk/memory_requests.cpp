#include "graph/vk/memory_requests.h"

#include "graph/frame/stages.h"
#include "graph/vk/commands.h"
#include "graph/vk/host_memory.h"
#include "graph/vk/memory.h"
#include "graph/vk/resources.h"

namespace lacuna::vk {
namespace {

MemoryRequest ofHost(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage) {
  return hostRequest(device, makeBuffer(device, bytes, usage, "a buffer").get(), HostUse::write);
}

}  // namespace

std::vector<MemoryRequest> memoryRequests(Device& of, const FrameGraph& passes, int slots) {
  const Device::Impl& device = of.impl();
  const FrameGraph schedule = place(passes, memoryNeeds(device, passes));
  std::vector<MemoryRequest> all;
  for (const std::vector<MemoryRequest>& arena : arenaRequests(device, schedule))
    for (const MemoryRequest& request : arena)
      if (request.bytes > 0)
        all.push_back(request);
  if (const uint64_t bytes = constantBytes(schedule); bytes > 0) {
    all.push_back(ofHost(device, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT));
    all.back().isBrief = true;
  }
  if (const uint64_t bytes = blockPlaces(device, schedule).bytes; bytes > 0)
    all.insert(all.end(), static_cast<size_t>(slots),
               ofHost(device, bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
  return all;
}

}  // namespace lacuna::vk
