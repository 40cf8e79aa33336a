#include "graph/vk/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "graph/compile/arena_plan.h"
#include "graph/compile/barriers.h"
#include "graph/compile/lifetime.h"
#include "graph/vk/image_format.h"
#include "graph/vk/limits.h"
#include "graph/vk/memory.h"

namespace lacuna::vk {
namespace {

constexpr size_t arenaCount = 2;  // one for all, or one for buffers and one for images

// All that the memory requirements of a resource depend on.
using Shape = std::tuple<ResourceKind, ImageFormat, uint32_t, uint32_t, uint64_t>;

Shape shape(const Resource& resource) {
  if (resource.kind == ResourceKind::buffer) {
    return {resource.kind, ImageFormat::rgba16f, 0, 0, resource.bytes};
  }
  return {resource.kind, resource.imageFormat, resource.width, resource.height, 0};
}

std::string describe(const Resource& resource) {
  const std::string size = humanBytes(contentBytes(resource));
  if (resource.kind == ResourceKind::buffer) {
    return fmt::format("buffer {} ({})", resource.name, size);
  }
  return fmt::format("image {} ({}x{} {}, {})", resource.name, resource.width, resource.height,
                     formatName(resource.imageFormat), size);
}

std::string largest(const Schedule& schedule, const std::vector<bool>& used) {
  std::vector<const Resource*> order;
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]) {
      order.push_back(&schedule.resources[i]);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Resource* a, const Resource* b) { return contentBytes(*a) > contentBytes(*b); });
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(order.size(), 5); ++i) {
    text += "\n  " + describe(*order[i]);
  }
  return text;
}

}  // namespace

struct Resources::Needs {
  std::map<Shape, MemoryNeed> byShape;
  std::array<uint32_t, arenaCount> typeBits = {~0U, ~0U};
};

Resources::Resources(const Device::Impl& device, Schedule& schedule) {
  create(device, schedule);
  const Needs found = needs(device, schedule);
  schedule = lifetimes(std::move(schedule));
  schedule = planArena(std::move(schedule), [&found](const Resource& resource) {
    const auto need = found.byShape.find(shape(resource));
    return need == found.byShape.end() ? MemoryNeed{} : need->second;
  });
  schedule = placeBarriers(std::move(schedule));
  bind(device, schedule, found);
}

void Resources::create(const Device::Impl& device, const Schedule& schedule) {
  const size_t count = schedule.resources.size();
  buffers_.resize(count);
  images_.resize(count);
  views_.resize(count);
  constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                       VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  for (const Pass& pass : schedule.passes) {
    for (const Access& access : pass.accesses) {
      const auto i = static_cast<size_t>(access.resource);
      if (isUsed(i)) {
        continue;
      }
      const Resource& resource = schedule.resources[i];
      if (resource.kind == ResourceKind::buffer) {
        buffers_[i] = makeBuffer(device, resource.bytes, usage);
      } else {
        images_[i] = makeImage(device, resource);
      }
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
  return result;
}

void Resources::bind(const Device::Impl& device, const Schedule& schedule, const Needs& needs) {
  std::array<uint64_t, arenaCount> sizes{};
  std::vector<bool> used(schedule.resources.size());
  for (size_t i = 0; i < used.size(); ++i) {
    used[i] = isUsed(i);
    if (used[i]) {
      const Placement& at = schedule.placements[i];
      uint64_t& size = sizes[static_cast<size_t>(at.arena)];
      size = std::max(size, at.offset + at.bytes);
    }
  }
  arenas_.resize(arenaCount);
  for (size_t i = 0; i < arenaCount; ++i) {
    if (sizes[i] == 0) {
      continue;
    }
    const auto type = memoryType(device, needs.typeBits[i], VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);
    const VkResult result =
        type ? allocate(device, sizes[i], *type, arenas_[i]) : VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (result != VK_SUCCESS) {
      throw DeviceError(fmt::format("{} can't give {} of memory ({}; it has {}). The largest resources:{}",
                                    device.info.name, humanBytes(sizes[i]), resultName(result),
                                    humanBytes(device.info.limits.deviceMemory), largest(schedule, used)));
    }
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      continue;
    }
    const Placement& at = schedule.placements[i];
    VkDeviceMemory memory = arenas_[static_cast<size_t>(at.arena)].get();
    if (buffers_[i].get() != nullptr) {
      check(device.vk.vkBindBufferMemory(device.handle(), buffers_[i].get(), memory, at.offset), "memory");
    } else {
      check(device.vk.vkBindImageMemory(device.handle(), images_[i].get(), memory, at.offset), "memory");
      views_[i] = makeView(device, images_[i].get(), schedule.resources[i].imageFormat);
    }
  }
}

}  // namespace lacuna::vk
