#pragma once

#include <string>

#include "graph/vk/device.h"

namespace lacuna::test {

// A device that all tests of a process share, by name. It is destroyed when the last test has ended and not
// with the process: by then a validation layer may have destroyed what it needs for that.
vk::Device& sharedDevice(const std::string& name, const vk::DeviceOptions& options);

}  // namespace lacuna::test
