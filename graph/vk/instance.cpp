#include "graph/vk/instance.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

constexpr const char* validationLayer = "VK_LAYER_KHRONOS_validation";

void requireLoader() {
  static const VkResult result = volkInitialize();
  if (result != VK_SUCCESS)
    throw DeviceError("no Vulkan loader: libvulkan.so.1 is missing (Debian package libvulkan1)");
  if (volkGetInstanceVersion() < VK_API_VERSION_1_2)
    throw DeviceError("the Vulkan loader is older than Vulkan 1.2");
}

void requireValidationLayer() {
  const auto layers =
      enumerate("its list of layers", VkLayerProperties{}, vkEnumerateInstanceLayerProperties);
  const bool present = std::ranges::any_of(layers, [](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, validationLayer) == 0;
  });
  if (!present) {
    throw DeviceError(
        "validation needs the layer VK_LAYER_KHRONOS_validation (Debian package vulkan-validationlayers)");
  }
}

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                         VkDebugUtilsMessageTypeFlagsEXT types,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void* log) {
  if ((types & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT) == 0)
    static_cast<MessageLog*>(log)->add(data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(MessageLog& log) {
  auto info =
      typed<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  // General messages are the loader's, about drivers of other devices.
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = onMessage;
  info.pUserData = &log;
  return info;
}

struct CreatedInstance {
  VkInstance handle = nullptr;
  bool hasDebugUtils = false;
};

// Requested without a look into the list of extensions, which would load every driver once more.
CreatedInstance createInstance(bool validate, MessageLog& log) {
  auto application = typed<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pApplicationName = "lacuna";
  application.apiVersion = std::min<uint32_t>(volkGetInstanceVersion(), VK_API_VERSION_1_3);
  auto info = typed<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;

  const std::array<VkValidationFeatureEnableEXT, 1> enabled = {
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  auto features = typed<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
  features.enabledValidationFeatureCount = static_cast<uint32_t>(enabled.size());
  features.pEnabledValidationFeatures = enabled.data();
  VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(log);
  messenger.pNext = &features;
  const std::array<const char*, 2> extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                                 VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  info.enabledExtensionCount = validate ? 2 : 1;
  info.ppEnabledExtensionNames = extensions.data();
  if (validate) {
    info.pNext = &messenger;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &validationLayer;
  }
  CreatedInstance created{nullptr, true};
  VkResult result = vkCreateInstance(&info, nullptr, &created.handle);
  if (result == VK_ERROR_EXTENSION_NOT_PRESENT && !validate) {
    created.hasDebugUtils = false;
    info.enabledExtensionCount = 0;
    result = vkCreateInstance(&info, nullptr, &created.handle);
  }
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    throw DeviceError("no Vulkan driver is installed (for a CPU one: Debian package mesa-vulkan-drivers)");
  check(result, "a Vulkan instance");
  return created;
}

}  // namespace

void MessageLog::add(std::string message) {
  const std::scoped_lock lock(mutex_);
  messages_.push_back(std::move(message));
}

std::vector<std::string> MessageLog::all() const {
  const std::scoped_lock lock(mutex_);
  return messages_;
}

InstanceTable::InstanceTable(VkInstance of, PFN_vkGetInstanceProcAddr from) : instance(of), functionOf(from) {
  const auto load = [this](auto& function, const char* name) {
    function = find<std::remove_reference_t<decltype(function)>>(name);
  };
  load(vkDestroyInstance, "vkDestroyInstance");
  load(vkEnumeratePhysicalDevices, "vkEnumeratePhysicalDevices");
  load(vkEnumerateDeviceExtensionProperties, "vkEnumerateDeviceExtensionProperties");
  load(vkGetPhysicalDeviceProperties, "vkGetPhysicalDeviceProperties");
  load(vkGetPhysicalDeviceProperties2, "vkGetPhysicalDeviceProperties2");
  load(vkGetPhysicalDeviceFeatures2, "vkGetPhysicalDeviceFeatures2");
  load(vkGetPhysicalDeviceMemoryProperties, "vkGetPhysicalDeviceMemoryProperties");
  load(vkGetPhysicalDeviceQueueFamilyProperties, "vkGetPhysicalDeviceQueueFamilyProperties");
  load(vkGetPhysicalDeviceFormatProperties, "vkGetPhysicalDeviceFormatProperties");
  load(vkCreateDevice, "vkCreateDevice");
  load(vkGetDeviceProcAddr, "vkGetDeviceProcAddr");
}

Instance::Instance(bool validate) {
  requireLoader();
  if (validate)
    requireValidationLayer();
  const CreatedInstance created = createInstance(validate, messages_);
  functions_ = InstanceTable(created.handle, vkGetInstanceProcAddr);
  hasDebugUtils_ = created.hasDebugUtils;
  if (validate) {
    const VkDebugUtilsMessengerCreateInfoEXT info = messengerInfo(messages_);
    const auto create = functions_.find<PFN_vkCreateDebugUtilsMessengerEXT>("vkCreateDebugUtilsMessengerEXT");
    const VkResult result = create(created.handle, &info, nullptr, &messenger_);
    if (result != VK_SUCCESS)
      functions_.vkDestroyInstance(created.handle, nullptr);
    check(result, "a messenger for validation");
  }
}

Instance::Instance(VkInstance given, PFN_vkGetInstanceProcAddr functionOf) : isOwn_(false) {
  if (given == nullptr || functionOf == nullptr)
    throw DeviceError("the program's device needs its VkInstance and vkGetInstanceProcAddr, but one is null");
  functions_ = InstanceTable(given, functionOf);
  if (functions_.vkGetPhysicalDeviceFeatures2 == nullptr)
    throw DeviceError("the program's VkInstance has no vkGetPhysicalDeviceFeatures2: expected Vulkan 1.2");
  // It is null for instances that were made without the extension.
  hasDebugUtils_ = functions_.find<PFN_vkVoidFunction>("vkSetDebugUtilsObjectNameEXT") != nullptr;
}

Instance::~Instance() {
  if (messenger_ != nullptr) {
    const auto destroy =
        functions_.find<PFN_vkDestroyDebugUtilsMessengerEXT>("vkDestroyDebugUtilsMessengerEXT");
    destroy(functions_.instance, messenger_, nullptr);
  }
  if (isOwn_)
    functions_.vkDestroyInstance(functions_.instance, nullptr);
}

std::vector<Physical> Instance::physicalDevices() const {
  std::vector<Physical> found;
  for (VkPhysicalDevice device : enumerate("its list of devices", VkPhysicalDevice{},
                                           functions_.vkEnumeratePhysicalDevices, functions_.instance))
    found.push_back({device, &functions_});
  return found;
}

DebugNames Instance::debugNames() const {
  DebugNames names;
  if (hasDebugUtils_) {
    names.setName = functions_.find<PFN_vkSetDebugUtilsObjectNameEXT>("vkSetDebugUtilsObjectNameEXT");
    names.beginLabel = functions_.find<PFN_vkCmdBeginDebugUtilsLabelEXT>("vkCmdBeginDebugUtilsLabelEXT");
    names.endLabel = functions_.find<PFN_vkCmdEndDebugUtilsLabelEXT>("vkCmdEndDebugUtilsLabelEXT");
    names.insertLabel = functions_.find<PFN_vkCmdInsertDebugUtilsLabelEXT>("vkCmdInsertDebugUtilsLabelEXT");
  }
  return names;
}

}  // namespace lacuna::vk
