#pragma once
// The buffers and images of a schedule, in as few allocations as the device's memory types allow.

#include <volk.h>

#include <vector>

#include "graph/frame/schedule.h"
#include "graph/vk/device_impl.h"

namespace lacuna::vk {

class Resources {
 public:
  // Of a schedule that was placed with this device's memoryNeeds(). Throws DeviceError where memory doesn't
  // suffice.
  Resources(const Device::Impl& device, const Schedule& schedule);

  // Null where no pass uses the resource, or where it is of the other kind.
  VkBuffer buffer(int resource) const { return buffers_[static_cast<size_t>(resource)].get(); }
  VkImage image(int resource) const { return images_[static_cast<size_t>(resource)].get(); }
  VkImageView view(int resource) const { return views_[static_cast<size_t>(resource)].get(); }
  // Fills the memory under all of them with 0xff (DeviceOptions::poisonsMemory), and waits.
  void poison(Device::Impl& device) const;
  // With which it changes places (Schedule::swaps); itself if with none.
  int partner(int resource) const { return partners_[static_cast<size_t>(resource)]; }

 private:
  void pair(const Schedule& schedule);
  void create(const Device::Impl& device, const Schedule& schedule);
  bool isUsed(size_t resource) const {
    return buffers_[resource].get() != nullptr || images_[resource].get() != nullptr;
  }
  void allocateArenas(const Device::Impl& device, const Schedule& schedule);
  void bind(const Device::Impl& device, const Schedule& schedule);

  struct Chunk {
    Handle<VkDeviceMemory> memory;
    uint64_t bytes = 0;
    uint32_t type = 0;
  };
  // By arena: one is cut where an allocation may not be larger. Freed after what lies in it.
  std::vector<std::vector<Chunk>> arenas_;
  std::vector<Handle<VkBuffer>> buffers_;  // a resource each, as the next two
  std::vector<Handle<VkImage>> images_;
  std::vector<Handle<VkImageView>> views_;
  std::vector<int> partners_;
};

// As one frame sees them: in every other one, partners stand for each other.
class FrameResources {
 public:
  FrameResources(const Resources& all, bool swapped) : all_(all), swapped_(swapped) {}
  VkBuffer buffer(int resource) const { return all_.buffer(place(resource)); }
  VkImage image(int resource) const { return all_.image(place(resource)); }
  VkImageView view(int resource) const { return all_.view(place(resource)); }

 private:
  int place(int resource) const { return swapped_ ? all_.partner(resource) : resource; }

  const Resources& all_;
  bool swapped_;
};

}  // namespace lacuna::vk
