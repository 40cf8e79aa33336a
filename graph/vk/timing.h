#pragma once
// Device timestamps around passes.

#include <volk.h>

#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/vk/device_impl.h"
#include "graph/vk/executable.h"

namespace lacuna::vk {

class TimingQueries {
 public:
  // Around each pass, or only around each run of passes without uploads and downloads (most often one):
  // timestamps inside would keep neighbours from overlapping. Throws DeviceError without timestamps.
  TimingQueries(const Device::Impl& device, const FrameGraph& schedule, bool perPass);

  bool isPerPass() const { return perPass_; }
  void reset(VkCommandBuffer commands) const;
  void begin(VkCommandBuffer commands, PassId pass) const;
  void end(VkCommandBuffer commands, PassId pass) const;
  Timings read() const;  // after the commands are done; passMs and passes are empty unless perPass

 private:
  struct Span {
    PassId first, last;  // inclusive
  };
  void write(VkCommandBuffer commands, size_t query) const;
  double milliseconds(uint64_t from, uint64_t to) const;
  int64_t nanoseconds(uint64_t stamp) const;
  std::optional<int64_t> hostOffset() const;

  const Device::Impl& device_;
  bool perPass_;
  std::vector<Span> work_;   // runs of dispatches, fills and copies
  std::vector<Span> timed_;  // two queries each
  Handle<VkQueryPool> pool_;
};

}  // namespace lacuna::vk
