#pragma once
// The host's memory as sources and sinks of passes that read and write a program's own (given.h).

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "graph/lists.h"
#include "graph/passes/image_format.h"
#include "graph/vk/device.h"
#include "graph/vk/given.h"

namespace lacuna::vk {

struct HostedEnd {
  bool isSource = false;
  Extent extent;
  uint32_t pixelBytes = 4;
  std::optional<ImageFormat> image = {};  // none: a buffer
};

class HostedMemory : NoCopy {
 public:
  // Throws DeviceError.
  HostedMemory(Device& device, const std::map<std::string, HostedEnd>& ends);
  ~HostedMemory();

  std::span<std::byte> pixels(const std::string& name);  // rows from the top, without gaps; zero at first
  uint32_t pixelBytes(const std::string& name) const;
  // Runs what `record` adds to the commands on the memory that it gets, between the copies of images to the
  // device and back, and waits.
  using Record = std::function<void(VkCommandBuffer commands, const std::map<std::string, VulkanImage>& all)>;
  void run(const Record& record);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lacuna::vk
