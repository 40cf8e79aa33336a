#pragma once
// Memory that the host and the device share: staging of uploads and downloads, and the parameter blocks.

#include <map>

#include "graph/frame/frame_graph.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/executable.h"
#include "graph/vk/memory.h"

namespace lacuna::vk {

// The parameter blocks of a frame in one buffer.
struct BlockPlaces {
  std::map<PassId, VkDescriptorBufferInfo> of;  // without the buffer
  uint64_t bytes = 0;
};
BlockPlaces blockPlaces(const Device::Impl& device, const FrameGraph& schedule);

class HostMemory {
 public:
  HostMemory(const Device::Impl& device, const FrameGraph& schedule);

  // Throws DeviceError if the pass is not an upload or download.
  const HostBuffer& staging(PassId pass) const;
  VkDescriptorBufferInfo block(PassId pass) const;  // of a pass with Pass::blockBytes > 0

  void beforeSubmit(const Device::Impl& device, const FrameGraph& schedule, const Frame& frame);
  void afterWait(const Device::Impl& device) const;

 private:
  void writeBlocks(const Device::Impl& device, const FrameGraph& schedule, const Frame& frame);

  std::map<PassId, HostBuffer> uploads_;
  std::map<PassId, HostBuffer> downloads_;
  HostBuffer blocks_;
  std::map<PassId, VkDescriptorBufferInfo> blockOf_;
  uint64_t written_ = 0;  // Frame::blocks of those that are there
};

}  // namespace lacuna::vk
