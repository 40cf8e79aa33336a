#include "graph/frame/limits.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace lacuna {
namespace {

class Finder {
 public:
  Finder(const Passes& schedule, const DeviceModel& device) : schedule_(schedule), device_(device) {}

  std::vector<BeyondLimit> find() {
    for (const PassId id : schedule_.passes.ids()) {
      const Pass& pass = schedule_.passes[id];
      pass_ = id;
      for (const Access& access : pass.accesses) {
        const bool known = access.resource.index() < schedule_.resources.size();
        const bool bound = access.point == AccessPoint::storageBuffer && !access.byAddress;
        if (known && seen_.emplace(access.resource, bound).second)
          resource(schedule_.resources[access.resource], bound);
      }
      if (pass.kind == PassKind::dispatch) {
        workgroups(pass);
        bindings(pass);
        arrays(pass);
      }
    }
    return std::move(found_);
  }

 private:
  template <class... Args>
  void refuse(fmt::format_string<Args...> text, Args&&... args) {
    found_.push_back({pass_, fmt::format(text, std::forward<Args>(args)...)});
  }

  // `bound`: as a storage buffer.
  void resource(const Resource& resource, bool bound) {
    const bool image = resource.kind == ResourceKind::image;
    const uint64_t bytes = contentBytes(resource);
    if (bytes == 0)
      refuse("{} is empty", resource.name);
    if (image && std::max(resource.width, resource.height) > device_.maxImageSize) {
      refuse("image {} is {}x{} pixels, but the device allows {} along a side", resource.name, resource.width,
             resource.height, device_.maxImageSize);
    }
    if (!image && bound && bytes > device_.maxStorageBufferRange) {
      refuse("buffer {} has {} ({} bytes), the device binds at most {}{}", resource.name, humanBytes(bytes),
             bytes, humanBytes(device_.maxStorageBufferRange),
             device_.bufferAddresses ? "" : " and has no buffer addresses");
    } else if (bytes > device_.maxAllocation) {
      refuse("{} {} has {} ({} bytes), the device allocates at most {} at once", image ? "image" : "buffer",
             resource.name, humanBytes(bytes), bytes, humanBytes(device_.maxAllocation));
    }
  }

  void workgroups(const Pass& pass) {
    const std::array<uint32_t, 3>& most = device_.maxWorkgroups;
    if (pass.groups[0] > most[0] || pass.groups[1] > most[1] || pass.groups[2] > most[2]) {
      refuse("has {}x{}x{} workgroups, the device allows {}x{}x{}", pass.groups[0], pass.groups[1],
             pass.groups[2], most[0], most[1], most[2]);
    }
    if (pass.sharedBytes > device_.maxSharedMemory)
      refuse("needs {} bytes of shared memory, the device has {}", pass.sharedBytes, device_.maxSharedMemory);
  }

  void bindings(const Pass& pass) {
    std::array<std::set<std::pair<uint32_t, uint32_t>>, 3> used;
    for (const Access& access : pass.accesses) {
      const bool counts = access.point != AccessPoint::transfer &&
                          access.point != AccessPoint::uniformBuffer && !access.byAddress;
      if (counts)
        used[static_cast<size_t>(access.point)].emplace(access.binding, access.element);
    }
    constexpr std::array<const char*, 3> names = {"storage buffers", "sampled images", "storage images"};
    for (size_t i = 0; i < used.size(); ++i)
      if (used[i].size() > device_.maxBindings[i])
        refuse("binds {} {}, the device allows {}", used[i].size(), names[i], device_.maxBindings[i]);
  }

  // SPIR-V sees arrays as words, whatever they hold.
  void arrays(const Pass& pass) {
    const bool isSpirv = pass.node.index() < schedule_.graph.nodes.size() &&
                         schedule_.graph.nodes[pass.node].description->isSpirv();
    for (const Role& role : pass.roles) {
      const bool isHalves = role.type.isArray() && role.type.format == Format::f16;
      if (isHalves && !device_.storage16 && !isSpirv)
        refuse("array {} holds f16, the device has no 16-bit storage (storageBuffer16BitAccess)", role.name);
      if (role.type.arrayCount > maxArrayCount)
        refuse("array {} has more than the {} elements that a shader can count", role.name, maxArrayCount);
    }
  }

  const Passes& schedule_;
  const DeviceModel& device_;
  PassId pass_;                                 // at hand
  std::set<std::pair<ResourceId, bool>> seen_;  // resources, bound as buffers or not: reported once
  std::vector<BeyondLimit> found_;
};

}  // namespace

std::vector<BeyondLimit> beyondLimits(const Passes& schedule, const DeviceModel& device) {
  return Finder(schedule, device).find();
}

void reportLimits(const Passes& schedule, const DeviceModel& device, Diagnostics& diagnostics) {
  for (const BeyondLimit& beyond : beyondLimits(schedule, device)) {
    const Pass& pass = schedule.passes[beyond.pass];
    const Node& node = schedule.graph.nodes[pass.node];
    diagnostics.error(schedule.graph.modules.modules[node.module].where,
                      fmt::format("the device can't run {}: {}", pass.name, beyond.what));
  }
}

std::string humanBytes(uint64_t bytes) {
  constexpr std::array<const char*, 4> units = {"bytes", "KiB", "MiB", "GiB"};
  double amount = static_cast<double>(bytes);
  size_t unit = 0;
  while (amount >= 1024.0 && unit + 1 < units.size()) {
    amount /= 1024.0;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s")
                   : fmt::format("{:.1f} {}", amount, units[unit]);
}

}  // namespace lacuna
