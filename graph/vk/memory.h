#pragma once
// Buffers, images and the memory under them.

#include <volk.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "graph/frame/arena_plan.h"
#include "graph/frame/frame_graph.h"
#include "graph/passes/pass.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/given.h"

namespace lacuna::vk {

// These throw a DeviceError that names `what`, or the resource.
Handle<VkBuffer> makeBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage,
                            std::string_view what);
// A buffer for storage, uniforms and copies.
Handle<VkBuffer> makeBuffer(const Device::Impl& device, const Resource& resource);
// An image for storage, sampling and copies, in the layout UNDEFINED.
Handle<VkImage> makeImage(const Device::Impl& device, const Resource& resource);
Handle<VkImageView> makeView(const Device::Impl& device, VkImage image, const Resource& resource);

// The first of the allowed types that has `needed`, preferably with `wanted`.
std::optional<uint32_t> memoryType(const Device::Impl& device, uint32_t allowed, VkMemoryPropertyFlags needed,
                                   VkMemoryPropertyFlags wanted);
// Of memory that the host reads and writes in place, without flushes.
std::optional<uint32_t> hostMemoryType(const Device::Impl& device, uint32_t allowed);

struct MemoryFree {
  const Device::Impl* device;  // outlives it
  void operator()(const VulkanMemory* memory) const;
};
// The program's, if it has an allocator, or our own.
using DeviceMemory = std::unique_ptr<const VulkanMemory, MemoryFree>;

// Throws DeviceError where the program's allocator returns other memory than was asked for.
VkResult allocate(const Device::Impl& device, const MemoryRequest& request, DeviceMemory& memory);
// " from the program's allocator", for messages about allocations.
std::string_view allocatorName(const Device::Impl& device);

enum class HostUse { write, read };  // by the host

// The memory of a mapped buffer. A program's is coherent. Throws DeviceError.
MemoryRequest hostRequest(const Device::Impl& device, VkBuffer buffer, HostUse use);

// "buffer eaw:01:atrous.state1 (2.0 MiB)"
std::string describe(const Resource& resource);

// A buffer in host memory, mapped as long as it lives.
class HostBuffer {
 public:
  HostBuffer() = default;
  // Throws DeviceError that names `what`. `isBrief`: as in MemoryRequest.
  HostBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage, HostUse use,
             std::string_view what, bool isBrief = false);

  VkBuffer buffer() const { return buffer_.get(); }
  std::span<std::byte> bytes() const { return bytes_; }
  // For memory that isn't coherent: after the host's writes, before its reads.
  void flush(const Device::Impl& device) const;
  void invalidate(const Device::Impl& device) const;

 private:
  DeviceMemory memory_{nullptr, {}};
  Handle<VkBuffer> buffer_;
  std::span<std::byte> bytes_;
  bool coherent_ = true;
};

constexpr std::pair<ImageFormat, VkFormat> imageFormats[] = {
    {ImageFormat::rgba16f, VK_FORMAT_R16G16B16A16_SFLOAT},
    {ImageFormat::rgba32f, VK_FORMAT_R32G32B32A32_SFLOAT},
    {ImageFormat::r32f, VK_FORMAT_R32_SFLOAT},
    {ImageFormat::r32ui, VK_FORMAT_R32_UINT},
    {ImageFormat::rg32ui, VK_FORMAT_R32G32_UINT},
    {ImageFormat::rgba32ui, VK_FORMAT_R32G32B32A32_UINT}};

VkFormat vulkanFormat(ImageFormat format);

// Those that passes use and no program gives.
std::set<ResourceId> usedBy(const Passes& passes);

// A device's requirements for the resources of passes, before any is made: the input of place(). One arena
// for all if a memory type of the device holds buffers and images, else one for buffers and one for images.
// Throws DeviceError for allocations that are too large.
MemoryNeeds memoryNeeds(const Device::Impl& device, const Passes& passes);

}  // namespace lacuna::vk
