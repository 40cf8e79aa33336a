#pragma once
// The contents of a program's handle to a device.

#include <string>
#include <utility>

#include "graph/vk/device.h"

namespace lacuna::door {

struct DeviceState {
  DeviceState(const vk::DeviceOptions& options, std::string itsCacheFolder)
      : device(options), cacheFolder(std::move(itsCacheFolder)) {}
  DeviceState(const VulkanDevice& given, std::string itsCacheFolder)
      : device(given), cacheFolder(std::move(itsCacheFolder)), isGiven(true) {}

  vk::Device device;
  std::string cacheFolder;
  bool isGiven = false;  // the program's
};

}  // namespace lacuna::door
