#include "tools/bench/device/kernel.h"

#include <fmt/format.h>

#include <cstring>

namespace lacuna {
namespace {

constexpr uint32_t stepsBlock = 16;  // bytes of a uniform block of one word

Shaders passesOf(const std::vector<KernelBuffer>& buffers, const std::vector<KernelDispatch>& dispatches) {
  Shaders schedule;
  for (const KernelBuffer& buffer : buffers) {
    Resource resource;
    resource.name = buffer.name;
    resource.bytes = buffer.bytes;
    resource.contents = buffer.contents;
    resource.persistent = buffer.contents != nullptr;
    schedule.resources.push_back(std::move(resource));
  }
  for (const KernelDispatch& dispatch : dispatches) {
    Pass pass;
    pass.name = dispatch.name;
    pass.glsl = dispatch.glsl;
    pass.groups = {dispatch.groups, 1, 1};
    pass.specialization = dispatch.constants;
    pass.shader.matrices = dispatch.matrices;
    pass.blockBytes = stepsBlock;
    for (const auto& [buffer, kind] : dispatch.buffers) {
      const auto binding = static_cast<uint32_t>(pass.accesses.size() + 1);
      pass.accesses.push_back({ResourceId(buffer), kind, AccessPoint::storageBuffer, binding});
    }
    schedule.passes.push_back(std::move(pass));
  }
  Pass download;
  download.name = "result";
  download.kind = PassKind::download;
  download.accesses = {
      {ResourceId(dispatches.back().buffers.back().first), AccessKind::read, AccessPoint::transfer}};
  schedule.passes.push_back(std::move(download));
  return schedule;
}

}  // namespace

TimedKernel::TimedKernel(vk::Device& device, const std::vector<KernelBuffer>& buffers,
                         const std::vector<KernelDispatch>& dispatches) {
  executable_ = commandsOf(
      device, compileShaders(passesOf(buffers, dispatches), ShaderCache(ShaderCache::defaultFolder())), {});
}

double TimedKernel::run(uint32_t steps) {
  vk::Frame frame;
  frame.fillBlock = [steps](PassId, std::span<std::byte> block) {
    std::memcpy(block.data(), &steps, sizeof steps);
  };
  const Table<PassId, double> ms = executable_->time(frame, true).passMs;
  const PassId last(ms.size() - 2);
  uint32_t done = 0;
  std::memcpy(&done, result().data(), sizeof done);
  const std::string& name = executable_->schedule().passes[last].name;
  if (done != steps) {
    throw vk::DeviceError(fmt::format("{}: the device ran {} of {} steps", name, done, steps));
  }
  return ms[last];
}

std::span<const std::byte> TimedKernel::result() const {
  return executable_->downloadMemory(PassId(executable_->schedule().passes.size() - 1));
}

}  // namespace lacuna
