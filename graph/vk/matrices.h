#pragma once
// Cooperative matrices: those of the device, and what it must be opened with for them.

#include <volk.h>

#include <vector>

#include "graph/lists.h"
#include "graph/vk/device.h"
#include "graph/vk/instance.h"

namespace lacuna::vk {

// What the headers of Vulkan 1.3.239 (Debian 12) lack: structures of VK_KHR_cooperative_matrix and
// VK_NV_cooperative_matrix2, as the Vulkan specification gives them. Component types and scopes are those of
// VK_NV_cooperative_matrix.

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

// Sets `matrixShapes` and everything in `limits` about matrices. Needs the other limits.
void readMatrices(const Physical& physical, DeviceInfo& info);

// The best kind up to `most` with the needed shapes: 16x16x16 halves of a subgroup, added up in half and in
// single precision.
MatrixKind bestMatrices(const std::vector<MatrixShape>& shapes, MatrixKind most);

// Those of VK_NV_cooperative_matrix2 that shaders use.
bool hasUsedFeatures(const Matrix2Features& features);

// The extensions that shaders with matrices need, and their features, chained in front of `next`.
class MatrixFeatures : NoCopy {
 public:
  MatrixFeatures(const Physical& physical, const Limits& limits, const void* next);

  const void* first() const { return first_; }
  const std::vector<const char*>& extensions() const { return extensions_; }

 private:
  template <class Structure>
  void add(Structure& structure);

  std::vector<const char*> extensions_;
  void* first_;
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroups_{};
  KhrMatrixFeatures khr_{};
  VkPhysicalDeviceCooperativeMatrixFeaturesNV nv_{};
  Matrix2Features matrix2_{};
};

}  // namespace lacuna::vk
