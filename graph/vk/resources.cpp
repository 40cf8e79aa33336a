#include "graph/vk/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/frame/limits.h"
#include "graph/frame/stages.h"
#include "graph/vk/commands.h"
#include "graph/vk/memory.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

// The resources that live at the pass that needs the most, the largest first.
std::string largestLive(const FrameGraph& schedule) {
  if (!schedule.largestLivePass)
    return {};
  std::vector<const Resource*> order;
  for (const ResourceId r : liveAt(schedule, schedule.largestLivePass))
    order.push_back(&schedule.resources[r]);
  std::ranges::stable_sort(
      order, [](const Resource* a, const Resource* b) { return contentBytes(*a) > contentBytes(*b); });
  std::string text =
      fmt::format("Pass {} needs the most, {}:", schedule.passes[schedule.largestLivePass].name,
                  humanBytes(schedule.largestLiveBytes));
  constexpr size_t shown = 5;
  for (size_t i = 0; i < std::min(order.size(), shown); ++i)
    text += "\n  " + describe(*order[i]);
  return order.size() > shown ? text + fmt::format("\n  and {} smaller ones", order.size() - shown) : text;
}

[[noreturn]] void refuseMemory(const Device::Impl& device, const FrameGraph& schedule, VkResult result) {
  throw DeviceError(fmt::format("{} can't give {} of memory{} ({}; it has {}). {}", device.info.name,
                                humanBytes(schedule.arenaBytes), allocatorName(device), resultName(result),
                                humanBytes(device.info.memoryBytes), largestLive(schedule)));
}

size_t addressCount(const Pass& pass) {
  return static_cast<size_t>(
      std::ranges::count_if(pass.accesses, [](const Access& access) { return access.byAddress; }));
}

// Words before the first address, which is a uvec2.
size_t wordsBefore(const Pass& pass) {
  const size_t words = pass.pushConstants.size() + 2;
  return addressCount(pass) > 0 ? words + words % 2 : words;
}

// Those in memory that host passes work on, with their partners: copies for the host, or the device's own
// where that is the host's memory, too.
std::set<ResourceId> hostResources(const FrameGraph& schedule) {
  std::set<ResourceId> found;
  for (const Pass& pass : schedule.passes)
    for (const Access& access : pass.accesses)
      if (access.point == AccessPoint::host)
        found.insert(access.resource);
  for (const Swap& swap : schedule.swaps)
    if (found.contains(swap.now) || found.contains(swap.last))
      found.insert({swap.now, swap.last});
  std::erase_if(found, [&](ResourceId each) { return schedule.placements[each].bytes == 0; });
  return found;
}

}  // namespace

Resources::Resources(const Device::Impl& device, const FrameGraph& schedule) {
  create(device, schedule);
  pair(schedule);
  allocateArenas(device, schedule);
  bind(device, schedule);
  map(schedule);
}

void Resources::create(const Device::Impl& device, const FrameGraph& schedule) {
  const size_t count = schedule.resources.size();
  buffers_.resize(count);
  images_.resize(count);
  views_.resize(count);
  for (const Pass& pass : schedule.passes) {
    for (const Access& access : pass.accesses) {
      const ResourceId i = access.resource;
      if (isUsed(i))
        continue;
      const Resource& resource = schedule.resources[i];
      if (!resource.given.empty())
        continue;
      if (resource.kind == ResourceKind::buffer)
        buffers_[i] = makeBuffer(device, resource);
      else
        images_[i] = makeImage(device, resource);
    }
  }
}

// Unused resources need no memory, and have none.
void Resources::pair(const FrameGraph& schedule) {
  for (const ResourceId each : schedule.resources.ids())
    partners_.push_back(each);
  for (const Swap& swap : schedule.swaps)
    if (isUsed(swap.now) && isUsed(swap.last))
      std::swap(partners_[swap.now], partners_[swap.last]);
}

std::vector<std::vector<MemoryRequest>> arenaRequests(const Device::Impl& device,
                                                      const FrameGraph& schedule) {
  const bool hasAddresses =
      std::ranges::any_of(schedule.resources, [](const Resource& resource) { return resource.byAddress; });
  const std::set<ResourceId> mapped = hostResources(schedule);
  std::vector<std::vector<MemoryRequest>> requests(schedule.arenas.size());
  for (const ResourceId id : schedule.placements.ids()) {
    const Placement& at = schedule.placements[id];
    if (at.bytes == 0)
      continue;
    const auto arena = static_cast<size_t>(at.arena);
    const ArenaKind& kind = schedule.arenas[arena];
    const size_t chunk = at.offset / kind.chunk;
    const auto type = kind.isHost
                          ? hostMemoryType(device, kind.memoryTypes)
                          : memoryType(device, kind.memoryTypes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);
    if (!type)
      refuseMemory(device, schedule, VK_ERROR_FEATURE_NOT_PRESENT);
    requests[arena].resize(std::max(requests[arena].size(), chunk + 1));
    MemoryRequest& request = requests[arena][chunk];
    request.bytes = std::max(request.bytes, at.offset % kind.chunk + at.bytes);
    request.alignment = std::max(request.alignment, at.alignment);
    request.type = *type;
    request.hasAddresses = hasAddresses;
    request.isMapped = request.isMapped || mapped.contains(id);
  }
  return requests;
}

void Resources::allocateArenas(const Device::Impl& device, const FrameGraph& schedule) {
  if (schedule.arenaBytes > device.info.memoryBytes)
    refuseMemory(device, schedule, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  for (const std::vector<MemoryRequest>& requests : arenaRequests(device, schedule)) {
    std::vector<Chunk>& arena = arenas_.emplace_back();
    for (const MemoryRequest& request : requests) {
      Chunk& made = arena.emplace_back();
      made.bytes = request.bytes;
      made.type = request.type;
      if (made.bytes == 0)
        continue;
      if (const VkResult result = allocate(device, request, made.memory); result != VK_SUCCESS)
        refuseMemory(device, schedule, result);
      setName(device.names, device.handle(), made.memory->memory,
              fmt::format("arena {}.{}", arenas_.size() - 1, arena.size() - 1));
    }
  }
}

void Resources::bind(const Device::Impl& device, const FrameGraph& schedule) {
  for (const ResourceId i : schedule.resources.ids()) {
    if (!isUsed(i))
      continue;
    const auto& [memory, offset] = memoryAt(schedule, schedule.placements[i]);
    if (buffers_[i].get() != nullptr) {
      check(device.vk.vkBindBufferMemory(device.handle(), buffers_[i].get(), memory.memory,
                                         memory.offset + offset),
            "memory for " + describe(schedule.resources[i]));
    } else {
      check(device.vk.vkBindImageMemory(device.handle(), images_[i].get(), memory.memory,
                                        memory.offset + offset),
            "memory for " + describe(schedule.resources[i]));
      views_[i] = makeView(device, images_[i].get(), schedule.resources[i]);
    }
  }
}

std::pair<const VulkanMemory&, uint64_t> Resources::memoryAt(const FrameGraph& schedule,
                                                             const Placement& at) const {
  const auto arena = static_cast<size_t>(at.arena);
  const uint64_t chunk = schedule.arenas[arena].chunk;
  return {*arenas_[arena][at.offset / chunk].memory, at.offset % chunk};
}

void Resources::map(const FrameGraph& schedule) {
  mapped_.resize(schedule.resources.size());
  for (const ResourceId resource : hostResources(schedule)) {
    const Placement& at = schedule.placements[resource];
    const auto& [memory, offset] = memoryAt(schedule, at);
    mapped_[resource] = {static_cast<std::byte*>(memory.mapped) + offset, at.bytes};
  }
}

void Resources::poison(Device::Impl& device) const {
  const VolkDeviceTable& vk = device.vk;
  std::vector<Handle<VkBuffer>> wholes;  // a buffer over a chunk each
  const auto fill = [&](const Chunk& chunk, VkCommandBuffer commands) {
    Handle<VkBuffer> whole = makeBuffer(device, chunk.bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, "0xff");
    VkMemoryRequirements needs{};
    vk.vkGetBufferMemoryRequirements(device.handle(), whole.get(), &needs);
    if ((needs.memoryTypeBits >> chunk.type & 1U) != 0) {  // else it is for images alone
      check(vk.vkBindBufferMemory(device.handle(), whole.get(), chunk.memory->memory, chunk.memory->offset),
            "0xff");
      vk.vkCmdFillBuffer(commands, whole.get(), 0, VK_WHOLE_SIZE, ~0U);
      wholes.push_back(std::move(whole));
    }
  };
  runOnce(device, "the commands that write 0xff", [&](VkCommandBuffer commands) {
    for (const auto& arena : arenas_) {
      for (const Chunk& chunk : arena) {
        if (chunk.bytes > 0) {
          fill(chunk, commands);
        }
      }
    }
  });
}

uint32_t pushBytes(const Pass& pass) {
  return static_cast<uint32_t>((wordsBefore(pass) + 2 * addressCount(pass)) * sizeof(int32_t));
}

std::vector<int32_t> pushConstants(const Device::Impl& device, const Pass& pass,
                                   const FrameResources& resources) {
  std::vector<int32_t> words = pass.pushConstants;
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
