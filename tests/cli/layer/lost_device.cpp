// A Vulkan layer whose (first) device is lost: from wait number LACUNA_TEST_LOST_AT on, counted from 0, each
// wait for a fence reports that. They still wait, because the device isn't really lost.

#include <vulkan/vk_layer.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

VkInstance instance = nullptr;
PFN_vkGetInstanceProcAddr nextInstance = nullptr;
PFN_vkGetDeviceProcAddr nextDevice = nullptr;
std::atomic<VkDevice> first = nullptr;
std::atomic<int> waits = 0;

// The loader's link to the next layer below this one.
template <class Link>
Link& linkIn(const void* next, VkStructureType type) {
  auto* link = static_cast<const Link*>(next);
  while (link->sType != type || link->function != VK_LAYER_LINK_INFO)
    link = static_cast<const Link*>(link->pNext);
  return *const_cast<Link*>(link);  // the loader expects layers to change it
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* with, VkInstance* made) {
  auto& link = linkIn<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  nextInstance = link.u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link.u.pLayerInfo = link.u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(nextInstance(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, with, made);
  instance = *made;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* with, VkDevice* made) {
  auto& link = linkIn<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  nextDevice = link.u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link.u.pLayerInfo = link.u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(nextInstance(instance, "vkCreateDevice"));
  const VkResult result = create(physical, info, with, made);
  VkDevice none = nullptr;
  first.compare_exchange_strong(none, *made);
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL waitForFences(VkDevice device, uint32_t count, const VkFence* fences,
                                             VkBool32 all, uint64_t timeout) {
  const auto wait = reinterpret_cast<PFN_vkWaitForFences>(nextDevice(device, "vkWaitForFences"));
  const VkResult result = wait(device, count, fences, all, timeout);
  const char* lostAt = std::getenv("LACUNA_TEST_LOST_AT");
  return lostAt != nullptr && device == first && waits++ >= std::atoi(lostAt) ? VK_ERROR_DEVICE_LOST : result;
}

}  // namespace

extern "C" {

VK_LAYER_EXPORT PFN_vkVoidFunction VKAPI_CALL lostGetDeviceProcAddr(VkDevice device, const char* name) {
  return std::strcmp(name, "vkWaitForFences") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(waitForFences)
                                                   : nextDevice(device, name);
}

VK_LAYER_EXPORT PFN_vkVoidFunction VKAPI_CALL lostGetInstanceProcAddr(VkInstance of, const char* name) {
  if (std::strcmp(name, "vkCreateInstance") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(createInstance);
  if (std::strcmp(name, "vkCreateDevice") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(createDevice);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(lostGetDeviceProcAddr);
  return nextInstance(of, name);
}
}
