#pragma once
// A frame in flight's own parts: staging memory, parameter blocks, descriptors, commands, a fence and
// timestamps. Everything else (arena, pipelines) belongs to all frames, which follow each other on the queue.

#include <memory>
#include <optional>

#include "graph/lists.h"
#include "graph/vk/descriptors.h"
#include "graph/vk/executable.h"
#include "graph/vk/host_memory.h"
#include "graph/vk/pass_events.h"
#include "graph/vk/record.h"
#include "graph/vk/timing.h"
#include "graph/watched.h"

namespace lacuna::vk {

// The parts that all slots of an executable share.
struct SharedParts {
  Device::Impl& device;
  const FrameGraph& schedule;
  const UnwrittenPasses& unwritten;
  const Resources& resources;
  const Table<ResourceId, int>& givenPlaces;
  const Table<PassId, std::shared_ptr<const Pipeline>>& pipelines;
};

class Slot : NoCopy {
 public:
  explicit Slot(const SharedParts& shared);
  ~Slot();  // waits for the device

  const HostMemory& host() const { return host_; }
  // `swapped`: whether resources that change places have done so (in every other frame). At each host pass it
  // waits for the device, and runs the pass.
  void submit(const Frame& frame, bool swapped, Timed timed);
  Timings wait();  // returns at once if nothing was submitted
  // Into a program's commands, on its memory (GivenMemory). Needs: no host passes; those of the slot's last
  // frame have ended.
  void record(VkCommandBuffer commands, const Frame& frame, bool swapped, std::span<const VulkanImage> given);

 private:
  struct View {
    View(const SharedParts& shared, const HostMemory& host, const GivenMemory& given, bool swapped);
    FrameResources resources;
    DescriptorSets sets;
    Prepared prepared;
  };
  PassId submitPasses(const Frame& frame, View& view, const TimingQueries* timing, PassId behind);
  void compute(PassId pass, const Frame& frame, const View& view) const;

  SharedParts shared_;
  HostMemory host_;
  GivenMemory given_;
  View views_[2];  // before and after resources are exchanged
  Handle<VkCommandPool> commandPool_;
  VkCommandBuffer commands_;  // freed with its pool
  Handle<VkFence> done_;
  PassEvents events_;
  const Running running_ = [this] { return events_.running(); };
  std::unique_ptr<TimingQueries> queries_;  // made when a frame is first timed so
  Timed timed_ = Timed::no;                 // the frame in flight
  bool isWritten_ = true;                   // likewise
  bool isSubmitted_ = false;
  std::optional<Computing> inFlight_;  // for the watch: one of the two
  std::optional<Compiling> compiles_;
};

}  // namespace lacuna::vk
