#include "graph/vk/memory_needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "graph/frame/limits.h"
#include "graph/vk/memory.h"

namespace lacuna::vk {
namespace {

// All that the memory requirements of a resource depend on.
using Shape = std::tuple<ResourceKind, ImageFormat, uint32_t, uint32_t, uint64_t, bool>;

Shape shapeOf(const Resource& resource) {
  if (resource.kind == ResourceKind::buffer) {
    return {resource.kind, ImageFormat::rgba16f, 0, 0, bufferBytes(resource), resource.byAddress};
  }
  return {resource.kind, resource.imageFormat, resource.width, resource.height, 0, false};
}

// Asked of one that is dropped again: Vulkan 1.2 can't be asked without.
VkMemoryRequirements requirements(const Device::Impl& device, const Resource& resource) {
  VkMemoryRequirements result{};
  if (resource.kind == ResourceKind::buffer) {
    const Handle<VkBuffer> buffer = makeBuffer(device, resource);
    device.vk.vkGetBufferMemoryRequirements(device.handle(), buffer.get(), &result);
  } else {
    const Handle<VkImage> image = makeImage(device, resource);
    device.vk.vkGetImageMemoryRequirements(device.handle(), image.get(), &result);
  }
  if (result.size > device.info.limits.maxAllocation) {
    throw DeviceError(fmt::format("{} allocates at most {} at once, {} takes {}", device.info.name,
                                  humanBytes(device.info.limits.maxAllocation), describe(resource),
                                  humanBytes(result.size)));
  }
  return result;
}

std::set<ResourceId> usedBy(const Passes& passes) {
  std::set<ResourceId> used;
  for (const Pass& pass : passes.passes) {
    for (const Access& access : pass.accesses) {
      used.insert(access.resource);
    }
  }
  return used;
}

// One arena, in which buffers and images may follow each other in time: in space they keep to pages of the
// granularity.
void joinArenas(MemoryNeeds& needs, uint32_t types, uint64_t page) {
  needs.arenas = {{types, 0}};
  for (MemoryNeed& need : needs.resources) {
    need.alignment = std::max(need.alignment, page);
    need.bytes = (need.bytes + page - 1) / page * page;
    need.arena = 0;
  }
}

}  // namespace

MemoryNeeds memoryNeeds(const Device::Impl& device, const Passes& passes) {
  MemoryNeeds needs;
  needs.resources.resize(passes.resources.size());
  needs.arenas = {{}, {}};  // buffers, images
  std::map<Shape, VkMemoryRequirements> known;
  for (const ResourceId r : usedBy(passes)) {
    const Resource& resource = passes.resources[r];
    const Shape shape = shapeOf(resource);
    if (known.count(shape) == 0) {
      known[shape] = requirements(device, resource);
    }
    const VkMemoryRequirements& required = known[shape];
    const int arena = resource.kind == ResourceKind::image ? 1 : 0;
    needs.resources[r] = {required.size, required.alignment, arena};
    needs.arenas[static_cast<size_t>(arena)].memoryTypes &= required.memoryTypeBits;
  }
  const uint32_t common = needs.arenas[0].memoryTypes & needs.arenas[1].memoryTypes;
  if (memoryType(device, common, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0)) {
    joinArenas(needs, common, device.limits.bufferImageGranularity);
  }
  uint64_t alignment = 1;
  for (const MemoryNeed& need : needs.resources) {
    alignment = std::max(alignment, need.alignment);  // powers of two
  }
  for (ArenaKind& arena : needs.arenas) {
    arena.chunk = device.info.limits.maxAllocation / alignment * alignment;
  }
  return needs;
}

}  // namespace lacuna::vk
