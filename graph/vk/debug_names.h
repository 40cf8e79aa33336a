#pragma once
// Names of objects and passes for debuggers (DEBUGGING.md) and for validation's messages, if the instance has
// VK_EXT_debug_utils.

#include <volk.h>

#include <string>

#include "graph/lists.h"

namespace lacuna::vk {

// Null if there is none.
struct DebugNames {
  PFN_vkSetDebugUtilsObjectNameEXT setName = nullptr;
  PFN_vkCmdBeginDebugUtilsLabelEXT beginLabel = nullptr;
  PFN_vkCmdEndDebugUtilsLabelEXT endLabel = nullptr;
  PFN_vkCmdInsertDebugUtilsLabelEXT insertLabel = nullptr;
};

template <class Object>
inline constexpr VkObjectType objectType = VK_OBJECT_TYPE_UNKNOWN;
template <>
inline constexpr VkObjectType objectType<VkQueue> = VK_OBJECT_TYPE_QUEUE;
template <>
inline constexpr VkObjectType objectType<VkBuffer> = VK_OBJECT_TYPE_BUFFER;
template <>
inline constexpr VkObjectType objectType<VkImage> = VK_OBJECT_TYPE_IMAGE;
template <>
inline constexpr VkObjectType objectType<VkImageView> = VK_OBJECT_TYPE_IMAGE_VIEW;
template <>
inline constexpr VkObjectType objectType<VkDeviceMemory> = VK_OBJECT_TYPE_DEVICE_MEMORY;
template <>
inline constexpr VkObjectType objectType<VkShaderModule> = VK_OBJECT_TYPE_SHADER_MODULE;
template <>
inline constexpr VkObjectType objectType<VkPipeline> = VK_OBJECT_TYPE_PIPELINE;
template <>
inline constexpr VkObjectType objectType<VkDescriptorSet> = VK_OBJECT_TYPE_DESCRIPTOR_SET;

template <class Object>
void setName(const DebugNames& names, VkDevice device, Object object, const std::string& name) {
  static_assert(objectType<Object> != VK_OBJECT_TYPE_UNKNOWN);
  if (names.setName != nullptr) {
    VkDebugUtilsObjectNameInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
    info.objectType = objectType<Object>;
    info.objectHandle = reinterpret_cast<uint64_t>(object);
    info.pObjectName = name.c_str();
    names.setName(device, &info);  // a missing name is no error
  }
}

inline VkDebugUtilsLabelEXT labelInfo(const char* name) {
  VkDebugUtilsLabelEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
  info.pLabelName = name;
  return info;
}

// Marks the end of a frame for RenderDoc and GFXReconstruct, which otherwise wait for a present.
inline void labelEndOfFrame(const DebugNames& names, VkCommandBuffer commands) {
  if (names.insertLabel != nullptr) {
    const VkDebugUtilsLabelEXT info = labelInfo("vr-marker,frame_end,type,application");
    names.insertLabel(commands, &info);
  }
}

// Commands that are recorded while it lives get its name.
class Label : NoCopy {
 public:
  template <class Name>
  Label(const DebugNames& names, VkCommandBuffer commands, const Name& name)
      : names_(names), commands_(commands) {
    if (names_.beginLabel != nullptr) {
      const std::string text = name();
      const VkDebugUtilsLabelEXT info = labelInfo(text.c_str());
      names_.beginLabel(commands_, &info);
    }
  }
  ~Label() {
    if (names_.endLabel != nullptr)
      names_.endLabel(commands_);
  }

 private:
  const DebugNames& names_;
  VkCommandBuffer commands_;
};

}  // namespace lacuna::vk
