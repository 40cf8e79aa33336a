#pragma once
// The running pass of a frame, for a message if it never ends.

#include <volk.h>

#include <string>

#include "graph/frame/frame_graph.h"
#include "graph/vk/device_impl.h"

namespace lacuna::vk {

class PassEvents {
 public:
  // An event for each dispatch on CPU devices, where they cost nothing; GPUs would wait for each.
  PassEvents(const Device::Impl& device, const FrameGraph& schedule);

  void reset() const;                                       // before a frame is submitted
  void ended(VkCommandBuffer commands, PassId pass) const;  // records that it has
  // "eaw:01:atrous.level0 (levels.glsl)", with the shader that its author wrote. If it is unknown, all of
  // them.
  std::string running() const;

 private:
  std::string describe(PassId id) const;

  const Device::Impl& device_;
  const FrameGraph& schedule_;
  Table<PassId, Handle<VkEvent>> events_;  // none for other passes
};

}  // namespace lacuna::vk
