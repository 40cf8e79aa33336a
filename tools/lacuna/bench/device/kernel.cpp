#include "tools/lacuna/bench/device/kernel.h"

#include <fmt/format.h>

#include <cstring>

#include "graph/shader/compile.h"

namespace lacuna {
namespace {

constexpr uint32_t stepsBlock = 16;  // bytes of a uniform block of one word

OrderedPasses scheduleOf(const std::vector<KernelBuffer>& buffers,
                         const std::vector<KernelDispatch>& dispatches) {
  OrderedPasses schedule;
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
      pass.accesses.push_back({static_cast<int>(buffer), kind, AccessPoint::storageBuffer, binding});
    }
    schedule.passes.push_back(std::move(pass));
  }
  Pass download;
  download.name = "result";
  download.kind = PassKind::download;
  download.accesses = {
      {static_cast<int>(dispatches.back().buffers.back().first), AccessKind::read, AccessPoint::transfer}};
  schedule.passes.push_back(std::move(download));
  return schedule;
}

}  // namespace

TimedKernel::TimedKernel(vk::Device& device, const std::vector<KernelBuffer>& buffers,
                         const std::vector<KernelDispatch>& dispatches) {
  std::vector<std::string> texts, names;
  for (const KernelDispatch& dispatch : dispatches) {
    texts.push_back(dispatch.glsl);
    names.push_back(dispatch.name);
  }
  texts.emplace_back();  // of the download
  names.emplace_back();
  auto spirv = ShaderCache(ShaderCache::defaultFolder()).compileAll(texts, names);
  executable_ = std::make_unique<vk::Executable>(device, scheduleOf(buffers, dispatches), std::move(spirv));
}

double TimedKernel::run(uint32_t steps) {
  vk::Frame frame;
  frame.fillBlock = [steps](int, std::span<std::byte> block) {
    std::memcpy(block.data(), &steps, sizeof steps);
  };
  const std::vector<double> ms = executable_->time(frame, true).passMs;
  const auto download = static_cast<int>(ms.size() - 1);
  uint32_t done = 0;
  std::memcpy(&done, executable_->downloadMemory(download).data(), sizeof done);
  const std::string& name = executable_->schedule().passes[ms.size() - 2].name;
  if (done != steps) {
    throw vk::DeviceError(fmt::format("{}: the device ran {} of {} steps", name, done, steps));
  }
  return ms[ms.size() - 2];
}

}  // namespace lacuna
