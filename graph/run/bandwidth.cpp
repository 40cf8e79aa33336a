#include "graph/run/bandwidth.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "graph/shader/compile.h"
#include "graph/vk/executable.h"

namespace lacuna {
namespace {

// vkCmdCopyBuffer reaches a fifth of an H200's bandwidth, and a shader a fifth of a processor's.
const char* const copyShader = R"(#version 450
layout(local_size_x = 256) in;
layout(std430, binding = 1) readonly buffer From { uvec4 from[]; };
layout(std430, binding = 2) writeonly buffer To { uvec4 to[]; };
void main() { to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x]; }
)";
constexpr uint64_t groupBytes = uint64_t{256} * 16;

FrameGraph copySchedule(uint64_t groups) {
  FrameGraph schedule;
  const auto add = [&](const char* name) {
    Resource resource;
    resource.name = name;
    resource.bytes = groups * groupBytes;
    return schedule.resources.add(resource);
  };
  const ResourceId from = add("from");
  const ResourceId to = add("to");
  Pass fill;
  fill.name = "fill";
  fill.kind = PassKind::fill;
  fill.accesses = {{from, AccessKind::write, AccessPoint::transfer}};
  Pass transfer;
  transfer.name = "copy by the driver";
  transfer.kind = PassKind::copy;
  transfer.accesses = {{from, AccessKind::read, AccessPoint::transfer},
                       {to, AccessKind::write, AccessPoint::transfer}};
  Pass copy;
  copy.name = "copy";
  copy.groups = {static_cast<uint32_t>(groups), 1, 1};
  copy.accesses = {{from, AccessKind::read, AccessPoint::storageBuffer, 1},
                   {to, AccessKind::write, AccessPoint::storageBuffer, 2}};
  schedule.passes = {fill, transfer, copy};
  return schedule;
}

}  // namespace

uint64_t copyBytes(const vk::DeviceInfo& info) {
  constexpr uint64_t mebibyte = uint64_t{1} << 20;
  const uint64_t wanted = (info.isCpu() ? 64 : 256) * mebibyte;
  const uint64_t most = std::min({wanted, info.memoryBytes / 8, info.limits.maxStorageBufferRange,
                                  info.limits.maxWorkgroups[0] * groupBytes});
  return std::max<uint64_t>(1, most / groupBytes) * groupBytes;
}

double copyBandwidth(vk::Device& device, uint64_t bytes) {
  const uint64_t groups = std::max<uint64_t>(1, bytes / groupBytes);
  const auto shader = ShaderCache(ShaderCache::defaultFolder()).compileAll({copyShader}, {"copy"}).front();
  vk::Executable executable(device, copySchedule(groups), {nullptr, nullptr, shader});
  const int runs = device.info().isCpu() ? 5 : 50;  // clocks of GPUs have to rise first
  double best = 0.0;
  for (int i = 0; i < runs; ++i) {
    const Table<PassId, double> times = executable.time({}, true).passMs;
    const double ms = std::min(times[PassId(1)], times[PassId(2)]);
    best = ms > 0.0 ? std::max(best, 2.0 * static_cast<double>(groups * groupBytes) / (ms * 1e-3)) : best;
  }
  return best;
}

double copyBandwidth(vk::Device& device) {
  static std::mutex mutex;
  static std::map<std::string, double> measured;  // by UUID
  const std::scoped_lock lock(mutex);
  const std::string& uuid = device.info().uuid;
  const auto found = measured.find(uuid);
  return found != measured.end() ? found->second
                                 : measured[uuid] = copyBandwidth(device, copyBytes(device.info()));
}

}  // namespace lacuna
