#pragma once
// A schedule's passes and barriers as commands.

#include <volk.h>

#include <memory>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/vk/descriptors.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/executable.h"
#include "graph/vk/host_memory.h"
#include "graph/vk/pass_events.h"
#include "graph/vk/resources.h"
#include "graph/vk/timing.h"

namespace lacuna::vk {

// The passes and barriers of frames that are not written (frame/stages.h).
struct UnwrittenPasses {
  Table<PassId, bool> runs;
  std::vector<Barrier> barriers;
};

// Everything that the commands refer to.
struct Program {
  const Device::Impl& device;
  const FrameGraph& schedule;
  const UnwrittenPasses& unwritten;
  const FrameResources& resources;
  const HostMemory& host;
  const Table<PassId, std::shared_ptr<const Pipeline>>& pipelines;
  const DescriptorSets& sets;
  bool isGiven = false;  // the command buffer is a program's
};

// One frame, which may be submitted while the one before runs. If `frame.first`, persistent resources are
// zeroed before it. Ends before a host pass that is to run, which it returns, or else returns none; `behind`:
// continues behind that one.
// `events`, `timing`: may be null.
PassId record(const Program& program, VkCommandBuffer commands, const Frame& frame, const PassEvents* events,
              const TimingQueries* timing, PassId behind = {});

// Hazards -> vkCmdPipelineBarrier2. Images stay in the layout GENERAL, so most of them need memory barriers
// only; the first use of an image in its memory is a transition from UNDEFINED.
void recordBarrier(const Program& program, VkCommandBuffer commands, const Barrier& barrier);

// Between repeated runs of a pass: both write the same.
void orderRepeats(const Program& program, VkCommandBuffer commands, PassId pass);

// Everything of the previous frame is finished and visible.
void orderFrames(const Program& program, VkCommandBuffer commands);
// For resources whose contents aren't needed: ready to be filled.
void discardBeforeTransfer(const Program& program, VkCommandBuffer commands,
                           const std::vector<ResourceId>& resources);
void transferBeforeAll(const Program& program, VkCommandBuffer commands);
void transferBeforeHost(const Program& program, VkCommandBuffer commands);
void allBeforeHost(const Program& program, VkCommandBuffer commands);

}  // namespace lacuna::vk
