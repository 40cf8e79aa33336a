#include "graph/vk/memory.h"

#include <fmt/format.h>

#include <cstring>

#include "graph/frame/limits.h"
#include "graph/vk/image_format.h"
#include "graph/vk/structure.h"

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

}  // namespace

Handle<VkBuffer> makeBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage,
                            std::string_view what) {
  requireMemory(device, bytes, what);
  auto info = typed<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = (bytes + 3) / 4 * 4;  // fills are by words
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
      if (isAllowed && (device.memory.memoryTypes[i].propertyFlags & flags) == flags) {
        return i;
      }
    }
  }
  return std::nullopt;
}

VkResult allocate(const Device::Impl& device, uint64_t bytes, uint32_t type, Handle<VkDeviceMemory>& memory,
                  bool hasAddresses) {
  const uint32_t heap = device.memory.memoryTypes[type].heapIndex;
  if (bytes > device.memory.memoryHeaps[heap].size || !mayAllocate(device, bytes)) {
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;  // more than the heap may not even be asked for
  }
  auto info = typed<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = bytes;
  info.memoryTypeIndex = type;
  auto flags = typed<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  info.pNext = hasAddresses ? &flags : nullptr;
  VkDeviceMemory handle = nullptr;
  const VkResult result = device.vk.vkAllocateMemory(device.handle(), &info, nullptr, &handle);
  if (result == VK_SUCCESS) {
    memory = Handle<VkDeviceMemory>(device.handle(), handle, device.vk.vkFreeMemory);
  }
  return result;
}

HostBuffer::HostBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage, HostUse use,
                       std::string_view what)
    : buffer_(makeBuffer(device, bytes, usage, fmt::format("{} for {}", humanBytes(bytes), what))) {
  VkMemoryRequirements needs{};
  device.vk.vkGetBufferMemoryRequirements(device.handle(), buffer_.get(), &needs);
  const VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  // Reads through uncached memory are many times slower than a flush.
  const VkMemoryPropertyFlags cached = use == HostUse::read ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : 0;
  std::optional<uint32_t> type =
      memoryType(device, needs.memoryTypeBits, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | cached, coherent);
  if (!type) {
    type = memoryType(device, needs.memoryTypeBits, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, coherent);
  }
  const VkResult result = type ? allocate(device, needs.size, *type, memory_) : VK_ERROR_FEATURE_NOT_PRESENT;
  check(result, fmt::format("{} of host memory for {}", humanBytes(bytes), what));
  setName(device.names, device.handle(), memory_.get(), fmt::format("host memory for {}", what));
  coherent_ = (device.memory.memoryTypes[*type].propertyFlags & coherent) != 0;
  check(device.vk.vkBindBufferMemory(device.handle(), buffer_.get(), memory_.get(), 0), "a buffer's memory");
  void* mapped = nullptr;
  check(device.vk.vkMapMemory(device.handle(), memory_.get(), 0, VK_WHOLE_SIZE, 0, &mapped), "mapped memory");
  bytes_ = {static_cast<std::byte*>(mapped), bytes};
  if (device.poisonsMemory) {
    std::memset(mapped, 0xff, bytes);
    flush(device);
  }
}

std::string describe(const Resource& resource) {
  const std::string size = humanBytes(contentBytes(resource));
  if (resource.kind == ResourceKind::buffer) {
    return fmt::format("buffer {} ({})", resource.name, size);
  }
  return fmt::format("image {} ({}x{} {}, {})", resource.name, resource.width, resource.height,
                     name(resource.imageFormat), size);
}

void HostBuffer::flush(const Device::Impl& device) const {
  if (!coherent_) {
    const VkMappedMemoryRange range = wholeRange(memory_.get());
    check(device.vk.vkFlushMappedMemoryRanges(device.handle(), 1, &range), "a flush of mapped memory");
  }
}

void HostBuffer::invalidate(const Device::Impl& device) const {
  if (!coherent_) {
    const VkMappedMemoryRange range = wholeRange(memory_.get());
    check(device.vk.vkInvalidateMappedMemoryRanges(device.handle(), 1, &range), "mapped memory");
  }
}

}  // namespace lacuna::vk
