#include "graph/vk/bandwidth.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "graph/vk/executable.h"

namespace lacuna::vk {
namespace {

Schedule copySchedule(uint64_t bytes) {
  Schedule schedule;
  for (const char* name : {"from", "to"}) {
    Resource resource;
    resource.name = name;
    resource.bytes = bytes;
    schedule.resources.push_back(resource);
  }
  Pass fill;
  fill.name = "fill";
  fill.kind = PassKind::fill;
  fill.accesses = {{0, AccessKind::write, AccessPoint::transfer}};
  Pass copy;
  copy.name = "copy";
  copy.kind = PassKind::copy;
  copy.accesses = {{0, AccessKind::read, AccessPoint::transfer},
                   {1, AccessKind::write, AccessPoint::transfer}};
  schedule.passes = {fill, copy};
  return schedule;
}

double measure(Device& device) {
  constexpr uint64_t mebibyte = uint64_t{1} << 20;
  const uint64_t wanted = (device.info().isCpu() ? 64 : 256) * mebibyte;
  const uint64_t bytes = std::max(mebibyte, std::min(wanted, device.info().limits.deviceMemory / 8));
  Executable executable(device, copySchedule(bytes), {nullptr, nullptr});
  double best = 0.0;
  for (int i = 0; i < 5; ++i) {
    const double ms = executable.time({}, true).passMs[1];
    best = ms > 0.0 ? std::max(best, 2.0 * static_cast<double>(bytes) / (ms * 1e-3)) : best;
  }
  return best;
}

}  // namespace

double copyBandwidth(Device& device) {
  static std::mutex mutex;
  static std::map<std::string, double> measured;  // by UUID
  const std::scoped_lock lock(mutex);
  const auto found = measured.find(device.info().uuid);
  return found != measured.end() ? found->second : measured[device.info().uuid] = measure(device);
}

}  // namespace lacuna::vk
