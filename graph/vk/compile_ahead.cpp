#include "graph/vk/compile_ahead.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <set>
#include <system_error>

namespace lacuna::vk {
namespace {

// Loading compiled shaders takes less; opening a device takes about as long.
constexpr std::chrono::milliseconds whileLoading(150);

// Dispatches with different code, in their order.
std::vector<PassId> distinct(const FrameGraph& schedule, const Code& spirv) {
  std::set<const Spirv*> seen;
  std::vector<PassId> passes;
  for (const PassId id : schedule.passes.ids())
    if (schedule.passes[id].kind == PassKind::dispatch && seen.insert(spirv[id].get()).second)
      passes.push_back(id);
  return passes;
}

// The passes that others compile if there are this many devices in all: their share of the code, from the
// end.
std::vector<PassId> laterOnes(const FrameGraph& schedule, const Code& spirv, size_t devices) {
  std::vector<PassId> passes = distinct(schedule, spirv);
  size_t words = 0;
  for (const PassId pass : passes)
    words += spirv[pass]->size();
  const size_t share = words / devices * (devices - 1);
  std::vector<PassId> later;
  size_t taken = 0;
  while (!passes.empty() && taken + spirv[passes.back()]->size() <= share) {
    taken += spirv[passes.back()]->size();
    later.push_back(passes.back());
    passes.pop_back();
  }
  return later;
}

// The pass alone, with resources of the same kinds, which hold nothing.
FrameGraph alone(const FrameGraph& schedule, PassId pass) {
  FrameGraph passes;
  passes.tiles = schedule.tiles;
  passes.resources = schedule.resources;
  for (Resource& resource : passes.resources) {
    resource.persistent = false;
    resource.contents = nullptr;
  }
  passes.passes.push_back(schedule.passes[pass]);
  return passes;
}

}  // namespace

CompileAhead::CompileAhead(const DeviceInfo& device, const FrameGraph& schedule, const Code& spirv)
    : device_(device), schedule_(schedule), spirv_(spirv) {
  if (!device.driver.starts_with("llvmpipe"))
    return;  // others don't wait until a dispatch
  const size_t devices = std::max(1U, std::thread::hardware_concurrency());
  later_ = laterOnes(schedule, spirv, devices);
  const size_t others = std::min(devices - 1, later_.size());
  try {
    for (size_t i = 0; i < others; ++i)
      threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // If no more threads are available, fewer do the work.
  }
}

CompileAhead::~CompileAhead() {
  {
    const std::scoped_lock lock(mutex_);
    isOver_ = true;
  }
  ended_.notify_all();
}

bool CompileAhead::isWanted() {
  std::unique_lock lock(mutex_);
  return !ended_.wait_for(lock, whileLoading, [this] { return isOver_; });
}

void CompileAhead::work() {
  if (!isWanted())
    return;
  try {
    // Closing it completes the driver's cache.
    Device own({.select = device_.uuid});
    while (true) {
      PassId pass;
      {
        const std::scoped_lock lock(mutex_);
        if (isOver_ || later_.empty())
          return;
        pass = later_.back();
        later_.pop_back();
      }
      compile(own, pass);
    }
  } catch (const std::exception&) {
    // The device that needs the pipeline reports what fails.
  }
}

void CompileAhead::compile(Device& device, PassId pass) const {
  Code code(1);
  code[PassId(0)] = spirv_[pass];
  Executable executable(device, alone(schedule_, pass), code);
  Frame frame;
  frame.fillBlock = [](PassId, std::span<std::byte>) {};
  frame.onlyCompiles = true;
  executable.run(frame);
}

}  // namespace lacuna::vk
