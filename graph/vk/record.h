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

// All that the commands of a pass need in each frame, side by side: while a renderer works, little of what
// was planned stays in the processor's caches.
struct PreparedPass {
  PassKind kind = PassKind::dispatch;
  std::array<uint32_t, 3> groups{};  // of a dispatch, like what follows
  VkPipeline pipeline = nullptr;
  VkPipelineLayout layout = nullptr;
  VkDescriptorSet set = nullptr;
  // Push constants, in Prepared::words; the frame's number is the word after `frameWord` others.
  uint32_t firstWord = 0, wordCount = 0, frameWord = 0;
  bool inTiles = false;
};

struct PreparedBarrier {
  PassId before;
  VkMemoryBarrier2 memory{};
  std::vector<VkImageMemoryBarrier2> images = {};
};

struct Prepared {
  Table<PassId, PreparedPass> passes;
  std::vector<PreparedBarrier> barriers, unwrittenBarriers;  // of frames that are written, and of others
  std::vector<int32_t> words;
};

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
  Prepared& prepared;    // the frame's words change
  bool isGiven = false;  // the command buffer is a program's
};

Prepared prepare(const Device::Impl& device, const FrameGraph& schedule, const UnwrittenPasses& unwritten,
                 const FrameResources& resources,
                 const Table<PassId, std::shared_ptr<const Pipeline>>& pipelines, const DescriptorSets& sets);

// One frame, which may be submitted while the one before runs. If `frame.first`, persistent resources are
// zeroed before it. Ends before a host pass that is to run, which it returns, or else returns none; `behind`:
// continues behind that one.
// `events`, `timing`: may be null.
PassId record(const Program& program, VkCommandBuffer commands, const Frame& frame, const PassEvents* events,
              const TimingQueries* timing, PassId behind = {});

// Hazards -> vkCmdPipelineBarrier2. Images stay in the layout GENERAL, so most of them need memory barriers
// only; the first use of an image in its memory is a transition from UNDEFINED.
PreparedBarrier prepare(const FrameResources& resources, const Barrier& barrier);
void recordBarrier(const Program& program, VkCommandBuffer commands, const PreparedBarrier& barrier);

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
