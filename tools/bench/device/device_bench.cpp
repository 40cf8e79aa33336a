#include "tools/bench/device/device_bench.h"

#include <algorithm>
#include <cstring>

#include "graph/lists.h"
#include "tools/bench/places.h"
#include "tools/timing/preheat.h"

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

constexpr double laterPreheat = 0.05;
constexpr uint32_t mostSteps = 1U << 30U;  // twice as many fit into a word
// Mesa's CPU driver ends loops after 65535 rounds, all branches of eight threads together.
constexpr uint32_t mostStepsOfCpu = 4000;
constexpr size_t quickStride = 4;

// The number of steps that take this long. The first run is not timed: drivers may compile within it.
uint32_t stepsFor(TimedKernel& kernel, double ms, uint32_t least, uint32_t most) {
  uint32_t steps = std::min(least, most);
  kernel.run(steps);
  for (;;) {
    // The fastest of a few runs: one that waited for another program would end this loop too early.
    double took = kernel.run(steps);
    for (int again = 0; again < 2 && took >= ms; ++again)
      took = std::min(took, kernel.run(steps));
    took = std::max(took, 1e-3);
    if (took >= ms || steps >= most)
      return steps;
    const double factor = std::clamp(1.1 * ms / took, 1.5, 32.0);
    steps = static_cast<uint32_t>(std::min<double>(most, factor * steps + 1.0));
  }
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
  if (done != steps)
    throw vk::DeviceError(fmt::format("{}: the device ran {} of {} steps", name, done, steps));
  return ms[last];
}

std::span<const std::byte> TimedKernel::result() const {
  return executable_->downloadMemory(PassId(executable_->schedule().passes.size() - 1));
}

std::vector<double> DeviceBench::chosen(const std::vector<double>& all) const {
  std::vector<double> points;
  for (size_t i = 0; i < all.size(); ++i)
    if (!lab_.arguments.quick || i % quickStride == 0 || i + 1 == all.size())
      points.push_back(all[i]);
  return points;
}

double DeviceBench::nsPerStep(TimedKernel& kernel, uint32_t leastSteps) {
  // A launch takes microseconds on a GPU, and tenths of a millisecond if threads of a CPU wake up.
  const double runMs = info().isCpu() ? 2.0 : 0.25;
  const uint32_t steps = stepsFor(kernel, runMs, leastSteps, info().isCpu() ? mostStepsOfCpu : mostSteps);
  preheat([&] { return kernel.run(steps); }, (isWarm_ ? laterPreheat : 1.0) * lab_.effort.preheatMs);
  isWarm_ = true;
  std::vector<double> once, twice;
  BenchRuns runs(lab_.effort);
  while (runs.next()) {
    once.push_back(kernel.run(steps));
    twice.push_back(kernel.run(2 * steps));
  }
  const double onceMs = median(once), twiceMs = median(twice);
  // On a very busy machine more steps may take less time; the difference is then unknown.
  return 1e6 * (twiceMs > 1.5 * onceMs ? twiceMs - onceMs : 0.5 * twiceMs) / steps;
}

std::string benchShader(const std::string& name) {
  return benchText("device/" + name + ".glsl");
}

}  // namespace lacuna
