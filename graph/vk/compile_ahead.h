#pragma once
// Mesa's CPU driver compiles a shader when it is first dispatched, and a device dispatches on one core. So
// while a device compiles a frame's shaders in their order, others compile the later ones. Their code gets to
// it by the driver's cache on disk; without one, this is in vain, but changes nothing.

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "graph/lists.h"
#include "graph/vk/executable.h"

namespace lacuna::vk {

class CompileAhead : NoCopy {
 public:
  // The device runs a frame of the schedule that only compiles, until the destructor. If that takes long,
  // since the driver's cache lacks the shaders, threads begin. Everything must outlive this. Never throws:
  // the device itself reports what fails.
  CompileAhead(const DeviceInfo& device, const FrameGraph& schedule, const Code& spirv);
  ~CompileAhead();

 private:
  void work();
  bool isWanted();
  void compile(Device& device, PassId pass) const;

  const DeviceInfo& device_;
  const FrameGraph& schedule_;
  const Code& spirv_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool isOver_ = false;
  std::vector<PassId> later_;  // the first one last
  std::vector<std::jthread> threads_;
};

}  // namespace lacuna::vk
