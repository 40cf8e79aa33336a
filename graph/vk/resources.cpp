#include "graph/vk/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "graph/passes/arena_plan.h"
#include "graph/passes/barriers.h"
#include "graph/passes/lifetime.h"
#include "graph/passes/limits.h"
#include "graph/vk/commands.h"
#include "graph/vk/memory.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

constexpr size_t arenaCount = 2;  // one for all, or one for buffers and one for images

// All that the memory requirements of a resource depend on.
using Shape = std::tuple<ResourceKind, ImageFormat, uint32_t, uint32_t, uint64_t, bool>;

Shape shape(const Resource& resource) {
  if (resource.kind == ResourceKind::buffer) {
    return {resource.kind, ImageFormat::rgba16f, 0, 0, bufferBytes(resource), resource.byAddress};
  }
  return {resource.kind, resource.imageFormat, resource.width, resource.height, 0, false};
}

// What lives together at the pass that needs the most, the largest first.
std::string largestLive(const Schedule& schedule) {
  if (schedule.largestLivePass < 0) {
    return {};
  }
  std::vector<const Resource*> order;
  for (const int r : liveAt(schedule, schedule.largestLivePass)) {
    order.push_back(&schedule.resources[static_cast<size_t>(r)]);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Resource* a, const Resource* b) { return contentBytes(*a) > contentBytes(*b); });
  std::string text = fmt::format(
      "Pass {} needs the most, {}:", schedule.passes[static_cast<size_t>(schedule.largestLivePass)].name,
      humanBytes(schedule.largestLiveBytes));
  constexpr size_t shown = 5;
  for (size_t i = 0; i < std::min(order.size(), shown); ++i) {
    text += "\n  " + describe(*order[i]);
  }
  return order.size() > shown ? text + fmt::format("\n  and {} smaller ones", order.size() - shown) : text;
}

}  // namespace

struct Resources::Needs {
  std::map<Shape, MemoryNeed> byShape;
  std::array<uint32_t, arenaCount> typeBits = {~0U, ~0U};
  uint64_t chunk = 0;  // MemoryNeed::chunk of all
};

Resources::Resources(const Device::Impl& device, Schedule& schedule) {
  create(device, schedule);
  pair(schedule);
  const Needs found = needs(device, schedule);
  schedule = lifetimes(std::move(schedule));
  schedule = planArena(std::move(schedule), [&found](const Resource& resource) {
    const auto need = found.byShape.find(shape(resource));
    return need == found.byShape.end() ? MemoryNeed{} : need->second;
  });
  schedule = placeBarriers(std::move(schedule));
  allocateArenas(device, schedule, found);
  bind(device, schedule, found);
}

void Resources::create(const Device::Impl& device, const Schedule& schedule) {
  const size_t count = schedule.resources.size();
  buffers_.resize(count);
  images_.resize(count);
  views_.resize(count);
  constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                       VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                       VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  for (const Pass& pass : schedule.passes) {
    for (const Access& access : pass.accesses) {
      const auto i = static_cast<size_t>(access.resource);
      if (isUsed(i)) {
        continue;
      }
      const Resource& resource = schedule.resources[i];
      if (resource.kind == ResourceKind::buffer) {
        buffers_[i] = makeBuffer(
            device, bufferBytes(resource),
            usage | (resource.byAddress ? VkBufferUsageFlags{VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT} : 0),
            describe(resource));
      } else {
        images_[i] = makeImage(device, resource);
      }
    }
  }
}

// One that nothing uses has no memory to offer, and needs none.
void Resources::pair(const Schedule& schedule) {
  partners_.resize(schedule.resources.size());
  std::iota(partners_.begin(), partners_.end(), 0);
  for (const Swap& swap : schedule.swaps) {
    if (isUsed(static_cast<size_t>(swap.now)) && isUsed(static_cast<size_t>(swap.last))) {
      std::swap(partners_[static_cast<size_t>(swap.now)], partners_[static_cast<size_t>(swap.last)]);
    }
  }
}

VkMemoryRequirements Resources::requirements(const Device::Impl& device, size_t resource) const {
  VkMemoryRequirements result{};
  if (buffers_[resource].get() != nullptr) {
    device.vk.vkGetBufferMemoryRequirements(device.handle(), buffers_[resource].get(), &result);
  } else {
    device.vk.vkGetImageMemoryRequirements(device.handle(), images_[resource].get(), &result);
  }
  return result;
}

Resources::Needs Resources::needs(const Device::Impl& device, const Schedule& schedule) const {
  Needs result;
  for (size_t i = 0; i < schedule.resources.size(); ++i) {
    if (isUsed(i)) {
      const VkMemoryRequirements required = requirements(device, i);
      if (required.size > device.info.limits.maxAllocation) {
        throw DeviceError(fmt::format("{} allocates at most {} at once, {} takes {}", device.info.name,
                                      humanBytes(device.info.limits.maxAllocation),
                                      describe(schedule.resources[i]), humanBytes(required.size)));
      }
      const int arena = schedule.resources[i].kind == ResourceKind::image ? 1 : 0;
      result.typeBits[static_cast<size_t>(arena)] &= required.memoryTypeBits;
      result.byShape[shape(schedule.resources[i])] = {required.size, required.alignment, arena};
    }
  }
  const uint32_t common = result.typeBits[0] & result.typeBits[1];
  if (memoryType(device, common, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0)) {
    // One arena, in which buffers and images may follow each other in time: in space they keep to pages of
    // the granularity.
    const uint64_t page = device.limits.bufferImageGranularity;
    result.typeBits = {common, common};
    for (auto& [key, need] : result.byShape) {
      need.alignment = std::max(need.alignment, page);
      need.bytes = (need.bytes + page - 1) / page * page;
      need.arena = 0;
    }
  }
  uint64_t alignment = 1;
  for (const auto& [key, need] : result.byShape) {
    alignment = std::max(alignment, need.alignment);  // powers of two
  }
  result.chunk = device.info.limits.maxAllocation / alignment * alignment;
  for (auto& [key, need] : result.byShape) {
    need.chunk = result.chunk;
  }
  return result;
}

void Resources::allocateArenas(const Device::Impl& device, const Schedule& schedule, const Needs& needs) {
  const auto refuse = [&](VkResult result) {
    throw DeviceError(fmt::format("{} can't give {} of memory ({}; it has {}). {}", device.info.name,
                                  humanBytes(schedule.arenaBytes), resultName(result),
                                  humanBytes(device.info.limits.deviceMemory), largestLive(schedule)));
  };
  if (schedule.arenaBytes > device.info.limits.deviceMemory) {
    refuse(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  }
  const bool hasAddresses = std::any_of(schedule.resources.begin(), schedule.resources.end(),
                                        [](const Resource& resource) { return resource.byAddress; });
  arenas_.resize(arenaCount);
  for (size_t arena = 0; arena < arenaCount; ++arena) {
    std::vector<uint64_t> sizes;  // by chunk
    for (const Placement& at : schedule.placements) {
      if (at.bytes > 0 && static_cast<size_t>(at.arena) == arena) {
        const size_t chunk = at.offset / needs.chunk;
        sizes.resize(std::max(sizes.size(), chunk + 1));
        sizes[chunk] = std::max(sizes[chunk], at.offset % needs.chunk + at.bytes);
      }
    }
    const auto type = memoryType(device, needs.typeBits[arena], VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);
    arenas_[arena].resize(sizes.size());
    for (size_t chunk = 0; chunk < sizes.size(); ++chunk) {
      Chunk& made = arenas_[arena][chunk];
      made.bytes = sizes[chunk];
      made.type = type.value_or(0);
      const VkResult result = made.bytes == 0 ? VK_SUCCESS
                              : type          ? allocate(device, made.bytes, *type, made.memory, hasAddresses)
                                              : VK_ERROR_FEATURE_NOT_PRESENT;
      if (result != VK_SUCCESS) {
        refuse(result);
      }
    }
  }
}

void Resources::bind(const Device::Impl& device, const Schedule& schedule, const Needs& needs) {
  for (size_t i = 0; i < schedule.resources.size(); ++i) {
    if (!isUsed(i)) {
      continue;
    }
    const Placement& at = schedule.placements[i];
    VkDeviceMemory memory = arenas_[static_cast<size_t>(at.arena)][at.offset / needs.chunk].memory.get();
    const uint64_t offset = at.offset % needs.chunk;
    if (buffers_[i].get() != nullptr) {
      check(device.vk.vkBindBufferMemory(device.handle(), buffers_[i].get(), memory, offset),
            "memory for " + describe(schedule.resources[i]));
    } else {
      check(device.vk.vkBindImageMemory(device.handle(), images_[i].get(), memory, offset),
            "memory for " + describe(schedule.resources[i]));
      views_[i] = makeView(device, images_[i].get(), schedule.resources[i].imageFormat);
    }
  }
}

void Resources::poison(Device::Impl& device) const {
  const VolkDeviceTable& vk = device.vk;
  std::vector<Handle<VkBuffer>> wholes;  // a buffer over a chunk each
  const Handle<VkCommandPool> pool = makeCommandPool(device);
  VkCommandBuffer commands = allocateCommands(device, pool.get());
  const Handle<VkFence> done = makeFence(device);
  beginOnce(device, commands);
  for (const auto& arena : arenas_) {
    for (const Chunk& chunk : arena) {
      if (chunk.bytes == 0) {
        continue;
      }
      Handle<VkBuffer> whole = makeBuffer(device, chunk.bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, "0xff");
      VkMemoryRequirements needs{};
      vk.vkGetBufferMemoryRequirements(device.handle(), whole.get(), &needs);
      if ((needs.memoryTypeBits >> chunk.type & 1U) != 0) {  // else it is for images alone
        check(vk.vkBindBufferMemory(device.handle(), whole.get(), chunk.memory.get(), 0), "0xff");
        vk.vkCmdFillBuffer(commands, whole.get(), 0, VK_WHOLE_SIZE, ~0U);
        wholes.push_back(std::move(whole));
      }
    }
  }
  check(vk.vkEndCommandBuffer(commands), "the commands that write 0xff");
  submit(device, commands, done.get());
  waitFor(device, done.get());
}

}  // namespace lacuna::vk
