#pragma once
// What a frame in flight has to itself: staging memory, parameter blocks, descriptors, commands, a fence and
// timestamps. Everything else (arena, pipelines) belongs to all frames, which follow each other on the queue.

#include <memory>
#include <vector>

#include "graph/vk/descriptors.h"
#include "graph/vk/executable.h"
#include "graph/vk/host_memory.h"
#include "graph/vk/record.h"
#include "graph/vk/timing.h"

namespace lacuna::vk {

// What all slots of an executable share.
struct SharedParts {
  Device::Impl& device;
  const Schedule& schedule;
  const Resources& resources;
  const std::vector<std::shared_ptr<const Pipeline>>& pipelines;
};

class Slot {
 public:
  explicit Slot(const SharedParts& shared);
  ~Slot();  // waits for the device
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  const HostMemory& host() const { return host_; }
  void submit(const Frame& frame, Timed timed);
  Timings wait();  // at once where nothing was submitted

 private:
  void record(const Frame& frame, const TimingQueries* timing);

  SharedParts shared_;
  HostMemory host_;
  DescriptorSets sets_;
  Handle<VkCommandPool> commandPool_;
  VkCommandBuffer commands_;  // freed with its pool
  Handle<VkFence> done_;
  std::unique_ptr<TimingQueries> queries_;  // made when a frame is first timed so
  Timed timed_ = Timed::no;                 // the frame in flight
  bool inFlight_ = false;
};

}  // namespace lacuna::vk
