#include "graph/vk/device.h"

#include <fmt/format.h>

#include "graph/door/errors.h"
#include "graph/door/state.h"
#include "graph/shader/compile.h"

namespace lacuna {
namespace {

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
  try {
    const std::vector<vk::DeviceInfo> found = vk::listDevices();
    return {found.begin(), found.end()};
  } catch (const vk::DeviceError& error) {
    throw Error(ErrorKind::noDevice, error.what());
  }
}

Device::Device(const DeviceOptions& options) {
  try {
    state_ = std::make_shared<door::DeviceState>(runtimeOptions(options), options.cacheFolder);
  } catch (const vk::DeviceError& error) {
    throw Error(ErrorKind::noDevice, error.what());
  }
}

Device::Device(std::shared_ptr<door::DeviceState> state) : state_(std::move(state)) {}
Device::~Device() = default;

const DeviceDescription& Device::description() const {
  return state_->device.info();
}

std::vector<std::string> Device::validationMessages() const {
  return state_->device.validationMessages();
}

}  // namespace lacuna
