#include "graph/vk/resources.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "graph/frame/limits.h"

namespace lacuna::vk {
namespace {

class Checker {
 public:
  Checker(const Device::Impl& device, const Passes& schedule) : device_(device), schedule_(schedule) {
    for (const BeyondLimit& beyond : beyondLimits(schedule, device.info.limits))
      refuse(schedule.passes[beyond.pass], "{}", beyond.what);
  }

  void pass(const Pass& pass, bool hasSpirv);
  void finish() const;

 private:
  template <class... Args>
  void refuse(const Pass& pass, fmt::format_string<Args...> text, Args&&... args) {
    errors_.push_back(fmt::format("pass {}: {}", pass.name, fmt::format(text, std::forward<Args>(args)...)));
  }
  void access(const Pass& pass, const Access& access);
  void dispatch(const Pass& pass);
  void bindings(const Pass& pass);
  void transfer(const Pass& pass);
  bool known(const Access& access) const { return access.resource.index() < schedule_.resources.size(); }

  const Device::Impl& device_;
  const Passes& schedule_;
  std::vector<std::string> errors_;
};

void Checker::access(const Pass& pass, const Access& access) {
  if (!known(access)) {
    refuse(pass, "uses resource {}, which doesn't exist", access.resource.index());
    return;
  }
  const Resource& resource = schedule_.resources[access.resource];
  if ((access.point == AccessPoint::host) != (pass.kind == PassKind::host)) {
    refuse(pass, "can't reach {} this way: native code needs mapped memory", resource.name);
    return;
  }
  if (pass.kind != PassKind::host &&
      (pass.kind == PassKind::dispatch) == (access.point == AccessPoint::transfer)) {
    refuse(pass, "can't reach {} this way: transfers copy, dispatches bind", resource.name);
    return;
  }
  const bool boundAsBuffer =
      access.point == AccessPoint::storageBuffer || access.point == AccessPoint::uniformBuffer;
  if (pass.kind == PassKind::dispatch && boundAsBuffer != (resource.kind == ResourceKind::buffer)) {
    refuse(pass, "binds {} {} as the other kind", resource.kind == ResourceKind::buffer ? "buffer" : "image",
           resource.name);
  }
  if (access.point == AccessPoint::uniformBuffer && resource.bytes > device_.limits.maxUniformBufferRange) {
    refuse(pass, "reads {} bytes of {} as a uniform buffer, the device allows {}", resource.bytes,
           resource.name, device_.limits.maxUniformBufferRange);
  }
}

void Checker::dispatch(const Pass& pass) {
  const VkPhysicalDeviceLimits& limits = device_.limits;
  if (const uint32_t bytes = pushBytes(pass); bytes > limits.maxPushConstantsSize)
    refuse(pass, "has {} bytes of push constants, the device allows {}", bytes, limits.maxPushConstantsSize);
  if (pass.blockBytes > limits.maxUniformBufferRange) {
    refuse(pass, "has {} bytes of parameters, the device allows {}", pass.blockBytes,
           limits.maxUniformBufferRange);
  }
  bindings(pass);
}

void Checker::bindings(const Pass& pass) {
  std::map<uint32_t, std::pair<AccessPoint, std::set<uint32_t>>> found;
  for (const Access& access : pass.accesses) {
    if (access.byAddress)
      continue;
    auto& [point, elements] =
        found.try_emplace(access.binding, access.point, std::set<uint32_t>{}).first->second;
    elements.insert(access.element);
    if (point != access.point || (access.binding == 0 && pass.blockBytes > 0))
      refuse(pass, "uses binding {} in two ways", access.binding);
  }
  for (const auto& [binding, use] : found)
    if (*use.second.rbegin() + 1 != use.second.size())
      refuse(pass, "leaves holes in the array at binding {}", binding);
}

void Checker::transfer(const Pass& pass) {
  const bool copies = pass.kind == PassKind::copy || pass.kind == PassKind::handover;
  const size_t wanted = copies ? 2 : 1;
  if (pass.accesses.size() != wanted) {
    refuse(pass, "has {} accesses, its kind has {}", pass.accesses.size(), wanted);
    return;
  }
  if (!copies || !known(pass.accesses[0]) || !known(pass.accesses[1]))
    return;
  const Resource& from = schedule_.resources[pass.accesses[0].resource];
  const Resource& to = schedule_.resources[pass.accesses[1].resource];
  const bool images = from.kind == ResourceKind::image && to.kind == ResourceKind::image;
  const bool sameShape = !images || (from.width == to.width && from.height == to.height);
  if (!schedule_.tiles && (contentBytes(from) != contentBytes(to) || !sameShape))
    refuse(pass, "copies {} to {}, which has another size", from.name, to.name);
}

void Checker::pass(const Pass& pass, bool hasSpirv) {
  for (const Access& each : pass.accesses)
    access(pass, each);
  if (pass.kind == PassKind::dispatch) {
    dispatch(pass);
    if (!hasSpirv)
      refuse(pass, "has no shader");
  } else if (pass.kind != PassKind::host) {
    transfer(pass);
  }
}

void Checker::finish() const {
  if (!errors_.empty()) {
    throw DeviceError(
        fmt::format("{} can't run this graph:\n  {}", device_.info.name, fmt::join(errors_, "\n  ")));
  }
}

}  // namespace

void checkLimits(const Device::Impl& device, const Passes& schedule, const Code& spirv) {
  if (spirv.size() != schedule.passes.size())
    throw DeviceError(fmt::format("{} shaders for {} passes", spirv.size(), schedule.passes.size()));
  Checker checker(device, schedule);
  for (const PassId pass : spirv.ids())
    checker.pass(schedule.passes[pass], spirv[pass] != nullptr && !spirv[pass]->empty());
  checker.finish();
}

}  // namespace lacuna::vk
