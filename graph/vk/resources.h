#pragma once
// The buffers and images of a schedule, in as few allocations as the device's memory types allow.

#include <volk.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/passes/pass.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/executable.h"
#include "graph/vk/given.h"
#include "graph/vk/memory.h"

namespace lacuna::vk {

class Resources {
 public:
  // Needs: a schedule that was placed with this device's memoryNeeds(). Throws DeviceError if memory is too
  // small.
  Resources(const Device::Impl& device, const FrameGraph& schedule);

  // Null if no pass uses the resource, or if it is of the other kind.
  VkBuffer buffer(ResourceId resource) const { return buffers_[resource].get(); }
  VkImage image(ResourceId resource) const { return images_[resource].get(); }
  VkImageView view(ResourceId resource) const { return views_[resource].get(); }
  // The memory of a buffer that a host pass uses.
  std::span<std::byte> mapped(ResourceId resource) const { return mapped_[resource]; }
  // Fills the memory under all of them with 0xff (DeviceOptions::poisonsMemory), and waits.
  void poison(Device::Impl& device) const;
  // Its partner (FrameGraph::swaps); itself if it has none.
  ResourceId partner(ResourceId resource) const { return partners_[resource]; }

 private:
  void pair(const FrameGraph& schedule);
  void create(const Device::Impl& device, const FrameGraph& schedule);
  bool isUsed(ResourceId resource) const {
    return buffers_[resource].get() != nullptr || images_[resource].get() != nullptr;
  }
  void allocateArenas(const Device::Impl& device, const FrameGraph& schedule);
  void bind(const Device::Impl& device, const FrameGraph& schedule);
  void map(const FrameGraph& schedule);

  struct Chunk {
    DeviceMemory memory{nullptr, {}};
    uint64_t bytes = 0;
    uint32_t type = 0;
  };
  // The chunk's memory, and the offset there.
  std::pair<const VulkanMemory&, uint64_t> memoryAt(const FrameGraph& schedule, const Placement& at) const;
  // By arena: several if one allocation may not be that large. Freed after what lies in it.
  std::vector<std::vector<Chunk>> arenas_;
  Table<ResourceId, Handle<VkBuffer>> buffers_;
  Table<ResourceId, Handle<VkImage>> images_;
  Table<ResourceId, Handle<VkImageView>> views_;
  Table<ResourceId, ResourceId> partners_;
  Table<ResourceId, std::span<std::byte>> mapped_;
};

// The allocations of each arena; of none, for the chunks that nothing lies in, 0 bytes. Throws DeviceError if
// the device has no such memory.
std::vector<std::vector<MemoryRequest>> arenaRequests(const Device::Impl& device, const FrameGraph& schedule);

// The memory that a program gives in a frame.
struct GivenMemory {
  Table<ResourceId, int> places;             // in `memory`; -1: the resource is ours
  std::span<const VulkanImage> memory = {};  // of the frame that is being recorded
};

// The resources as one frame sees them: in every other frame partners are exchanged.
class FrameResources {
 public:
  // `given` must outlive this.
  FrameResources(const Resources& all, const GivenMemory& given, bool swapped)
      : all_(all), given_(given), swapped_(swapped) {}
  VkBuffer buffer(ResourceId resource) const {
    return given(resource).buffer != nullptr ? given(resource).buffer : all_.buffer(place(resource));
  }
  VkImage image(ResourceId resource) const {
    return given(resource).image != nullptr ? given(resource).image : all_.image(place(resource));
  }
  VkImageView view(ResourceId resource) const {
    return given(resource).view != nullptr ? given(resource).view : all_.view(place(resource));
  }
  VkDeviceSize offset(ResourceId resource) const { return given(resource).offset; }
  VkImageLayout layout(ResourceId resource) const { return given(resource).layout; }
  std::span<std::byte> mapped(ResourceId resource) const { return all_.mapped(place(resource)); }

 private:
  const VulkanImage& given(ResourceId resource) const {
    static const VulkanImage none;
    const int place = given_.places[resource];
    return place < 0 || given_.memory.empty() ? none : given_.memory[static_cast<size_t>(place)];
  }
  ResourceId place(ResourceId resource) const { return swapped_ ? all_.partner(resource) : resource; }

  const Resources& all_;
  const GivenMemory& given_;
  bool swapped_;
};

// The push constants of a dispatch: Pass::pushConstants, two words for the frame, and addresses of buffers.
uint32_t pushBytes(const Pass& pass);

// With zeros for the frame's words.
std::vector<int32_t> pushConstants(const Device::Impl& device, const Pass& pass,
                                   const FrameResources& resources);

// Before anything is made for a schedule: throws DeviceError with a line for each mistake, naming pass and
// resource: what exceeds the device's limits (frame/limits.h), and what no device could run.
void checkLimits(const Device::Impl& device, const Passes& passes, const Code& spirv);

}  // namespace lacuna::vk
