#pragma once
// Binding 0 is the parameter block, if a pass has one; the others follow from Pass::accesses, without those
// accessed by their address (resources.h).

#include <volk.h>

#include <memory>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/host_memory.h"
#include "graph/vk/pipelines.h"
#include "graph/vk/resources.h"

namespace lacuna::vk {

std::vector<BindingLayout> bindingLayouts(const Pass& pass);  // ascending

class DescriptorSets : NoCopy {
 public:
  // `pipelines`: null for passes that are no dispatch. What a program gives (`given`) is left out.
  DescriptorSets(const Device::Impl& device, const FrameGraph& schedule, const FrameResources& resources,
                 const HostMemory& host, const GivenMemory& given,
                 const Table<PassId, std::shared_ptr<const Pipeline>>& pipelines);

  VkDescriptorSet of(PassId pass) const { return sets_[pass]; }
  // Binds what a program gives in a frame, by GivenMemory::places. While no commands that use the sets are on
  // the device.
  void bindGiven(const Device::Impl& device, std::span<const VulkanImage> memory);

 private:
  // Of a descriptor that a program's memory is written into.
  struct GivenBinding {
    size_t place = 0;
    VkDescriptorBufferInfo buffer{};
    VkDescriptorImageInfo image{};
  };
  void prepareGiven(const Device::Impl& device, const FrameGraph& schedule, const GivenMemory& given);

  Handle<VkDescriptorPool> pool_;
  Table<PassId, VkDescriptorSet> sets_;
  std::vector<GivenBinding> given_;
  std::vector<VkWriteDescriptorSet> writes_;  // of given_, and pointing into it
};

}  // namespace lacuna::vk
