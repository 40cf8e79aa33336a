#pragma once
// The Vulkan loader and an instance, with validation on request.

#include <volk.h>

#include <mutex>
#include <string>
#include <vector>

#include "graph/lists.h"
#include "graph/vk/debug_names.h"

namespace lacuna::vk {

// The validation layers' messages. Filled from any thread.
class MessageLog {
 public:
  void add(std::string message);
  std::vector<std::string> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
};

class Instance : NoCopy {
 public:
  // Throws DeviceError: no loader, no driver, or no validation layer if one is requested.
  explicit Instance(bool validate);
  ~Instance();

  VkInstance get() const { return instance_; }
  const MessageLog& messages() const { return messages_; }
  std::vector<VkPhysicalDevice> physicalDevices() const;
  DebugNames debugNames() const;

 private:
  MessageLog messages_;
  VkInstance instance_ = nullptr;
  bool hasDebugUtils_ = false;
  VkDebugUtilsMessengerEXT messenger_ = nullptr;
};

}  // namespace lacuna::vk
