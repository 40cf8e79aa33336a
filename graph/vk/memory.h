#pragma once
// Buffers, images and the memory under them.

#include <volk.h>

#include <cstddef>
#include <optional>
#include <span>

#include "graph/passes/pass.h"
#include "graph/vk/device_impl.h"

namespace lacuna::vk {

// They throw DeviceError that names `what`, or the resource.
Handle<VkBuffer> makeBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage,
                            std::string_view what);
// For storage, uniforms and copies.
Handle<VkBuffer> makeBuffer(const Device::Impl& device, const Resource& resource);
// In the layout UNDEFINED, for storage, sampling and copies.
Handle<VkImage> makeImage(const Device::Impl& device, const Resource& resource);
Handle<VkImageView> makeView(const Device::Impl& device, VkImage image, const Resource& resource);

// The first of the allowed types that has `needed`, better one that has `wanted` too.
std::optional<uint32_t> memoryType(const Device::Impl& device, uint32_t allowed, VkMemoryPropertyFlags needed,
                                   VkMemoryPropertyFlags wanted);
// `hasAddresses`: of buffers that shaders reach by their address.
VkResult allocate(const Device::Impl& device, uint64_t bytes, uint32_t type, Handle<VkDeviceMemory>& memory,
                  bool hasAddresses = false);

enum class HostUse { write, read };  // by the host

// "buffer eaw:01:atrous.state1 (2.0 MiB)"
std::string describe(const Resource& resource);

// A buffer that the host sees, mapped as long as it lives.
class HostBuffer {
 public:
  HostBuffer() = default;
  // Throws DeviceError that names `what`.
  HostBuffer(const Device::Impl& device, uint64_t bytes, VkBufferUsageFlags usage, HostUse use,
             std::string_view what);

  VkBuffer buffer() const { return buffer_.get(); }
  std::span<std::byte> bytes() const { return bytes_; }
  // Memory that isn't coherent: after the host's writes, before its reads.
  void flush(const Device::Impl& device) const;
  void invalidate(const Device::Impl& device) const;

 private:
  Handle<VkDeviceMemory> memory_;
  Handle<VkBuffer> buffer_;
  std::span<std::byte> bytes_;
  bool coherent_ = true;
};

}  // namespace lacuna::vk
