#include "graph/vk/device.h"

#include <fmt/format.h>

#include "graph/door/errors.h"
#include "graph/door/state.h"
#include "graph/shader/compile.h"

namespace lacuna {
namespace {

DeviceDescription described(const vk::DeviceInfo& info) {
  DeviceDescription description;
  description.name = info.name;
  description.uuid = info.uuid;
  description.kind = info.kind;
  description.driver = info.driver;
  description.vulkan = fmt::format("{}.{}.{}", info.apiVersion >> 22U & 0x7fU,
                                   info.apiVersion >> 12U & 0x3ffU, info.apiVersion & 0xfffU);
  description.memoryBytes = info.limits.deviceMemory;
  description.allocationBytes = info.limits.maxAllocation;
  description.imageSide = static_cast<int>(info.limits.maxImageSize);
  description.unusable = info.unusable;
  return description;
}

vk::DeviceOptions runtimeOptions(const DeviceOptions& options) {
  vk::DeviceOptions made;
  made.select = options.select;
  made.validate = options.validates;
  return made;
}

}  // namespace

std::string version() {
  return fmt::format("{}.{}.{}", LACUNA_VERSION_MAJOR, LACUNA_VERSION_MINOR, LACUNA_VERSION_PATCH);
}

std::string DeviceOptions::defaultCacheFolder() {
  return ShaderCache::defaultFolder();
}

std::vector<DeviceDescription> devices() {
  std::vector<DeviceDescription> found;
  try {
    for (const vk::DeviceInfo& info : vk::listDevices()) {
      found.push_back(described(info));
    }
  } catch (const vk::DeviceError& error) {
    throw Error(ErrorKind::noDevice, error.what());
  }
  return found;
}

namespace door {

DeviceState::DeviceState(const DeviceOptions& options)
    : device(runtimeOptions(options)),
      description(described(device.info())),
      cacheFolder(options.cacheFolder) {}

}  // namespace door

Device::Device(const DeviceOptions& options) {
  try {
    state_ = std::make_shared<door::DeviceState>(options);
  } catch (const vk::DeviceError& error) {
    throw Error(ErrorKind::noDevice, error.what());
  }
}

Device::~Device() = default;

const DeviceDescription& Device::description() const {
  return state_->description;
}

std::vector<std::string> Device::validationMessages() const {
  return state_->device.validationMessages();
}

}  // namespace lacuna
