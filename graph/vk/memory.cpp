#include "graph/vk/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "graph/frame/limits.h"
#include "graph/vk/device.h"
#include "graph/vk/given_device.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

VkMappedMemoryRange wholeRange(VkDeviceMemory memory) {
  auto range = typed<VkMappedMemoryRange>(VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE);
  range.memory = memory;
  range.size = VK_WHOLE_SIZE;
  return range;
}

bool mayAllocate(const Device::Impl& device, uint64_t bytes) {
  return !device.mayAllocate || device.mayAllocate(bytes);
}

void requireMemory(const Device::Impl& device, uint64_t bytes, std::string_view what) {
  check(mayAllocate(device, bytes) ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY, what);
}

// Asks for large pages where the device's memory is the host's: a picture's rows are a page or more apart, so
// filters would walk page tables, and a fault for each small page costs more than writing it.
VkResult adviseLargePages(const Device::Impl& device, VkDeviceMemory memory, uint64_t bytes, uint32_t type) {
  constexpr size_t page = size_t{2} << 20;
  const VkMemoryPropertyFlags flags = device.memory.memoryTypes[type].propertyFlags;
  if (!device.info.isCpu() || bytes < page || (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) == 0)
    return VK_SUCCESS;
  void* mapped = nullptr;
  const VkResult result = device.vk.vkMapMemory(device.handle(), memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  if (result == VK_SUCCESS) {
    size_t rest = bytes;
    if (std::align(page, page, mapped, rest) != nullptr)
      madvise(mapped, rest / page * page, MADV_HUGEPAGE);  // refused by kernels without them
    device.vk.vkUnmapMemory(device.handle(), memory);
  }
  return result;
}

// Everything that the memory requirements of a resource depend on.
using Shape = std::tuple<ResourceKind, ImageFormat, uint32_t, uint32_t, uint64_t, bool>;

Shape shapeOf(const Resource& resource) {
  if (resource.kind == ResourceKind::buffer)
    return {resource.kind, ImageFormat::rgba16f, 0, 0, bufferBytes(resource), resource.byAddress};
  return {resource.kind, resource.imageFormat, resource.width, resource.height, 0, false};
}

// By a resource that is dropped again, because Vulkan 1.2 has no query without one.
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

// One arena, in which buffers and images may follow each other in time: in space they have separate pages of
// the granularity.
void joinArenas(MemoryNeeds& needs, uint32_t types, uint64_t page) {
  needs.arenas.erase(needs.arenas.begin());
  needs.arenas.front() = {types, 0};
  for (MemoryNeed& need : needs.resources) {
    if (need.arena > 1) {
      need.arena = 1;
      continue;
    }
    need.alignment = std::max(need.alignment, page);
    need.bytes = (need.bytes + page - 1) / page * page;
    need.arena = 0;
  }
}

}  // namespace

Handle<VkBuffer> makeBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage,
                            std::string_view what) {
  requireMemory(device, bytes, what);
  auto info = typed<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = (bytes + 3) / 4 * 4;  // vkCmdFillBuffer fills whole words
  info.usage = usage;
  Handle<VkBuffer> buffer =
      make(device.handle(), device.vk.vkCreateBuffer, device.vk.vkDestroyBuffer, info, what);
  setName(device.names, device.handle(), buffer.get(), std::string(what));
  return buffer;
}

Handle<VkBuffer> makeBuffer(const Device::Impl& device, const Resource& resource) {
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  usage |= resource.byAddress ? VkBufferUsageFlags{VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT} : 0;
  return makeBuffer(device, bufferBytes(resource), usage, describe(resource));
}

Handle<VkImage> makeImage(const Device::Impl& device, const Resource& resource) {
  auto info = typed<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  requireMemory(device, contentBytes(resource), describe(resource));
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = vulkanFormat(resource.imageFormat);
  info.extent = {resource.width, resource.height, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  Handle<VkImage> image =
      make(device.handle(), device.vk.vkCreateImage, device.vk.vkDestroyImage, info, describe(resource));
  setName(device.names, device.handle(), image.get(), describe(resource));
  return image;
}

Handle<VkImageView> makeView(const Device::Impl& device, VkImage image, const Resource& resource) {
  auto info = typed<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  info.image = image;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = vulkanFormat(resource.imageFormat);
  info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  Handle<VkImageView> view =
      make(device.handle(), device.vk.vkCreateImageView, device.vk.vkDestroyImageView, info, "an image view");
  setName(device.names, device.handle(), view.get(), resource.name);
  return view;
}

std::optional<uint32_t> memoryType(const Device::Impl& device, uint32_t allowed, VkMemoryPropertyFlags needed,
                                   VkMemoryPropertyFlags wanted) {
  for (const VkMemoryPropertyFlags flags : {needed | wanted, needed}) {
    for (uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
      const bool isAllowed = (allowed >> i & 1U) != 0;
      if (isAllowed && (device.memory.memoryTypes[i].propertyFlags & flags) == flags)
        return i;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> hostMemoryType(const Device::Impl& device, uint32_t allowed) {
  return memoryType(device, allowed,
                    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                    VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
}

void MemoryFree::operator()(const VulkanMemory* memory) const {
  if (device->allocator.free)
    device->allocator.free(*memory);
  else
    device->vk.vkFreeMemory(device->handle(), memory->memory, nullptr);
  delete memory;
}

std::string_view allocatorName(const Device::Impl& device) {
  return device.allocator.allocate ? " from the program's allocator" : "";
}

VkResult allocate(const Device::Impl& device, const MemoryRequest& request, DeviceMemory& memory) {
  const uint32_t heap = device.memory.memoryTypes[request.type].heapIndex;
  if (request.bytes > device.memory.memoryHeaps[heap].size || !mayAllocate(device, request.bytes))
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;  // more than the heap must not even be requested
  VulkanMemory made;
  if (device.allocator.allocate) {
    made = device.allocator.allocate(request);
    if (made.memory == nullptr)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    memory = DeviceMemory(new VulkanMemory(made), {&device});
    if (made.offset % request.alignment != 0 || (request.isMapped && made.mapped == nullptr)) {
      throw DeviceError(
          fmt::format("the program's allocator returned {}memory at offset {}; expected {}an offset that is "
                      "a multiple of {}",
                      made.mapped == nullptr ? "" : "mapped ", made.offset,
                      request.isMapped ? "mapped memory and " : "", request.alignment));
    }
    return VK_SUCCESS;
  }
  auto info = typed<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = request.bytes;
  info.memoryTypeIndex = request.type;
  auto flags = typed<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  info.pNext = request.hasAddresses ? &flags : nullptr;
  VkResult result = device.vk.vkAllocateMemory(device.handle(), &info, nullptr, &made.memory);
  if (result != VK_SUCCESS)
    return result;
  Handle<VkDeviceMemory> handle(device.handle(), made.memory, device.vk.vkFreeMemory);
  result = adviseLargePages(device, made.memory, request.bytes, request.type);
  if (result == VK_SUCCESS && request.isMapped)
    result = device.vk.vkMapMemory(device.handle(), made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped);
  if (result == VK_SUCCESS) {
    memory = DeviceMemory(new VulkanMemory(made), {&device});
    handle.release();
  }
  return result;
}

MemoryRequest hostRequest(const Device::Impl& device, VkBuffer buffer, HostUse use) {
  VkMemoryRequirements needs{};
  device.vk.vkGetBufferMemoryRequirements(device.handle(), buffer, &needs);
  const VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags needed =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | (device.allocator.allocate ? coherent : 0);
  // Reads through uncached memory are many times slower than a flush.
  const VkMemoryPropertyFlags cached = use == HostUse::read ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0;
  std::optional<uint32_t> type = memoryType(device, needs.memoryTypeBits, needed | cached, coherent);
  if (!type)
    type = memoryType(device, needs.memoryTypeBits, needed, coherent);
  check(type ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT, "memory for the host");
  return {.bytes = needs.size, .alignment = needs.alignment, .type = *type, .isMapped = true};
}

HostBuffer::HostBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage, HostUse use,
                       std::string_view what, bool isBrief)
    : buffer_(makeBuffer(device, bytes, usage, fmt::format("{} for {}", humanBytes(bytes), what))) {
  MemoryRequest request = hostRequest(device, buffer_.get(), use);
  request.isBrief = isBrief;
  check(allocate(device, request, memory_),
        fmt::format("{} of host memory for {}{}", humanBytes(bytes), what, allocatorName(device)));
  setName(device.names, device.handle(), memory_->memory, fmt::format("host memory for {}", what));
  coherent_ =
      (device.memory.memoryTypes[request.type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
  check(device.vk.vkBindBufferMemory(device.handle(), buffer_.get(), memory_->memory, memory_->offset),
        "a buffer's memory");
  bytes_ = {static_cast<std::byte*>(memory_->mapped), bytes};
  if (device.poisonsMemory) {
    std::memset(bytes_.data(), 0xff, bytes_.size());
    flush(device);
  }
}

std::string describe(const Resource& resource) {
  const std::string size = humanBytes(contentBytes(resource));
  if (resource.kind == ResourceKind::buffer)
    return fmt::format("buffer {} ({})", resource.name, size);
  return fmt::format("image {} ({}x{} {}, {})", resource.name, resource.width, resource.height,
                     name(resource.imageFormat), size);
}

void HostBuffer::flush(const Device::Impl& device) const {
  if (!coherent_) {
    const VkMappedMemoryRange range = wholeRange(memory_->memory);
    check(device.vk.vkFlushMappedMemoryRanges(device.handle(), 1, &range), "a flush of mapped memory");
  }
}

void HostBuffer::invalidate(const Device::Impl& device) const {
  if (!coherent_) {
    const VkMappedMemoryRange range = wholeRange(memory_->memory);
    check(device.vk.vkInvalidateMappedMemoryRanges(device.handle(), 1, &range), "mapped memory");
  }
}

VkFormat vulkanFormat(ImageFormat format) {
  const auto* found = std::ranges::find(imageFormats, format, [](const auto& each) { return each.first; });
  return found == std::end(imageFormats) ? givenFormatOf(format) : found->second;
}

std::set<ResourceId> usedBy(const Passes& passes) {
  std::set<ResourceId> used;
  for (const Pass& pass : passes.passes)
    for (const Access& access : pass.accesses)
      if (passes.resources[access.resource].given.empty())
        used.insert(access.resource);
  return used;
}

MemoryNeeds memoryNeeds(const Device::Impl& device, const Passes& passes) {
  MemoryNeeds needs;
  needs.resources.resize(passes.resources.size());
  needs.arenas = {{}, {}};  // buffers, images
  std::map<Shape, VkMemoryRequirements> known;
  for (const ResourceId r : usedBy(passes)) {
    const Resource& resource = passes.resources[r];
    const Shape shape = shapeOf(resource);
    if (known.count(shape) == 0)
      known[shape] = requirements(device, resource);
    const VkMemoryRequirements& required = known[shape];
    const int arena = resource.isHost ? 2 : resource.kind == ResourceKind::image ? 1 : 0;
    if (resource.isHost)
      needs.arenas.resize(3, {.isHost = true});
    needs.resources[r] = {required.size, required.alignment, arena};
    needs.arenas[static_cast<size_t>(arena)].memoryTypes &= required.memoryTypeBits;
  }
  const uint32_t common = needs.arenas[0].memoryTypes & needs.arenas[1].memoryTypes;
  if (memoryType(device, common, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0))
    joinArenas(needs, common, device.limits.bufferImageGranularity);
  uint64_t alignment = 1;
  for (const MemoryNeed& need : needs.resources)
    alignment = std::max(alignment, need.alignment);  // powers of two
  for (ArenaKind& arena : needs.arenas)
    arena.chunk = device.info.limits.maxAllocation / alignment * alignment;
  return needs;
}

}  // namespace lacuna::vk
