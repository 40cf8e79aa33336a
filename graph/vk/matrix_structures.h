#pragma once
// What the headers of Vulkan 1.3.239 (Debian 12) lack: structures of VK_KHR_cooperative_matrix and
// VK_NV_cooperative_matrix2, as the Vulkan specification gives them. Component types and scopes are those of
// VK_NV_cooperative_matrix.

#include <volk.h>

namespace lacuna::vk {

constexpr const char* khrMatrixExtension = "VK_KHR_cooperative_matrix";
constexpr const char* matrix2Extension = "VK_NV_cooperative_matrix2";

constexpr auto khrMatrixFeaturesType = static_cast<VkStructureType>(1000506000);
constexpr auto khrMatrixPropertiesType = static_cast<VkStructureType>(1000506001);
constexpr auto matrix2FeaturesType = static_cast<VkStructureType>(1000593000);
constexpr auto matrix2FlexibleType = static_cast<VkStructureType>(1000593001);
constexpr auto matrix2PropertiesType = static_cast<VkStructureType>(1000593002);

constexpr auto componentBfloat16 = static_cast<VkComponentTypeNV>(1000141000);

struct KhrMatrixFeatures {  // VkPhysicalDeviceCooperativeMatrixFeaturesKHR
  VkStructureType sType;
  void* pNext;
  VkBool32 cooperativeMatrix;
  VkBool32 cooperativeMatrixRobustBufferAccess;
};

struct KhrMatrixProperties {  // VkCooperativeMatrixPropertiesKHR
  VkStructureType sType;
  void* pNext;
  uint32_t MSize, NSize, KSize;
  VkComponentTypeNV AType, BType, CType, ResultType;
  VkBool32 saturatingAccumulation;
  VkScopeNV scope;
};
using GetKhrMatrixProperties = VkResult(VKAPI_PTR*)(VkPhysicalDevice, uint32_t*, KhrMatrixProperties*);

struct Matrix2Features {  // VkPhysicalDeviceCooperativeMatrix2FeaturesNV
  VkStructureType sType;
  void* pNext;
  VkBool32 cooperativeMatrixWorkgroupScope;
  VkBool32 cooperativeMatrixFlexibleDimensions;
  VkBool32 cooperativeMatrixReductions;
  VkBool32 cooperativeMatrixConversions;
  VkBool32 cooperativeMatrixPerElementOperations;
  VkBool32 cooperativeMatrixTensorAddressing;
  VkBool32 cooperativeMatrixBlockLoads;
};

struct Matrix2Properties {  // VkPhysicalDeviceCooperativeMatrix2PropertiesNV
  VkStructureType sType;
  void* pNext;
  uint32_t cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
  uint32_t cooperativeMatrixFlexibleDimensionsMaxDimension;
  uint32_t cooperativeMatrixWorkgroupScopeReservedSharedMemory;
};

struct FlexibleMatrixProperties {  // VkCooperativeMatrixFlexibleDimensionsPropertiesNV
  VkStructureType sType;
  void* pNext;
  uint32_t MGranularity, NGranularity, KGranularity;
  VkComponentTypeNV AType, BType, CType, ResultType;
  VkBool32 saturatingAccumulation;
  VkScopeNV scope;
  uint32_t workgroupInvocations;
};
using GetFlexibleMatrixProperties = VkResult(VKAPI_PTR*)(VkPhysicalDevice, uint32_t*,
                                                         FlexibleMatrixProperties*);

}  // namespace lacuna::vk
