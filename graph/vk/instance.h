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

// Functions of an instance. Not volk's globals: a program's own instance may come from another loader.
struct InstanceTable {
  InstanceTable() = default;
  InstanceTable(VkInstance instance, PFN_vkGetInstanceProcAddr functionOf);
  // nullptr for one of an extension that the instance lacks.
  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(functionOf(instance, name));
  }

  VkInstance instance = nullptr;
  PFN_vkGetInstanceProcAddr functionOf = nullptr;
  PFN_vkDestroyInstance vkDestroyInstance = nullptr;
  PFN_vkEnumeratePhysicalDevices vkEnumeratePhysicalDevices = nullptr;
  PFN_vkEnumerateDeviceExtensionProperties vkEnumerateDeviceExtensionProperties = nullptr;
  PFN_vkGetPhysicalDeviceProperties vkGetPhysicalDeviceProperties = nullptr;
  PFN_vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceProperties2 = nullptr;
  PFN_vkGetPhysicalDeviceFeatures2 vkGetPhysicalDeviceFeatures2 = nullptr;
  PFN_vkGetPhysicalDeviceMemoryProperties vkGetPhysicalDeviceMemoryProperties = nullptr;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties vkGetPhysicalDeviceQueueFamilyProperties = nullptr;
  PFN_vkGetPhysicalDeviceFormatProperties vkGetPhysicalDeviceFormatProperties = nullptr;
  PFN_vkCreateDevice vkCreateDevice = nullptr;
  PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr = nullptr;
};

// A physical device with its instance's functions, which outlive it.
struct Physical {
  VkPhysicalDevice handle = nullptr;
  const InstanceTable* vk = nullptr;
};

class Instance : NoCopy {
 public:
  // Throws DeviceError: no loader, no driver, or no validation layer if one is requested.
  explicit Instance(bool validate);
  // The program's, which outlives this. Throws DeviceError if it isn't one.
  Instance(VkInstance given, PFN_vkGetInstanceProcAddr functionOf);
  ~Instance();

  const InstanceTable& functions() const { return functions_; }
  const MessageLog& messages() const { return messages_; }
  std::vector<Physical> physicalDevices() const;
  DebugNames debugNames() const;

 private:
  MessageLog messages_;
  InstanceTable functions_;
  bool isOwn_ = true;
  bool hasDebugUtils_ = false;
  VkDebugUtilsMessengerEXT messenger_ = nullptr;
};

}  // namespace lacuna::vk
