#pragma once
// The devices, whether they can be used, and the selected one.

#include <volk.h>

#include <string>
#include <vector>

#include "graph/lists.h"
#include "graph/vk/device.h"
#include "graph/vk/instance.h"
#include "graph/vk/result.h"

namespace lacuna::vk {

struct Candidate {
  Physical physical;
  DeviceInfo info;
};

DeviceInfo infoOf(const Physical& physical);

// The best one first.
std::vector<Candidate> findDevices(const Instance& instance);

// Throws DeviceError, with the list of devices, if nothing usable matches.
const Candidate& chooseDevice(const std::vector<Candidate>& candidates, const std::string& select);

// The features that Lacuna requests when it opens a device, to be chained to VkDeviceCreateInfo: the required
// ones, and those of the device that only some modules need.
struct FeatureChain : NoCopy {
  VkPhysicalDeviceFeatures2 core =
      typed<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  VkPhysicalDeviceVulkan11Features vulkan11 =
      typed<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  VkPhysicalDeviceVulkan12Features vulkan12 =
      typed<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  VkPhysicalDeviceSynchronization2Features synchronization2 = typed<VkPhysicalDeviceSynchronization2Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES);

  FeatureChain();
};
void requireFeatures(FeatureChain& features, const Limits& limits);
// A required one that isn't there; empty if all are.
std::string missingFeature(const FeatureChain& has);
std::vector<std::string> requiredFeatures();

// Index of a queue family for compute, with timestamps if any has them; -1 if none.
int computeQueueFamily(const Physical& physical);
std::vector<VkQueueFamilyProperties> queueFamilies(const Physical& physical);
bool hasExtension(const Physical& physical, const char* name);
// Whether its timestamps can be placed on the host's steady clock (VK_EXT_calibrated_timestamps).
bool relatesClocks(const Physical& physical);

}  // namespace lacuna::vk
