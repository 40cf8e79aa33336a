#include "graph/vk/matrices.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/module/description.h"
#include "graph/vk/device_choice.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

std::string nameOf(VkComponentTypeNV type) {
  constexpr const char* names[] = {"f16", "f32", "f64", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"};
  if (type == componentBfloat16)
    return "bf16";
  const auto index = static_cast<uint32_t>(type);
  return index < std::size(names) ? names[index] : fmt::format("type {}", index);
}

std::string nameOf(VkScopeNV scope) {
  switch (scope) {
    case VK_SCOPE_DEVICE_NV:
      return "device";
    case VK_SCOPE_WORKGROUP_NV:
      return "workgroup";
    case VK_SCOPE_SUBGROUP_NV:
      return "subgroup";
    default:
      return fmt::format("scope {}", static_cast<uint32_t>(scope));
  }
}

// The list from a function that is called twice, for the count and the elements; empty if the driver lacks
// it.
template <class Structure, class Function>
std::vector<Structure> listed(const Physical& physical, Function function, VkStructureType type) {
  uint32_t count = 0;
  if (function == nullptr || function(physical.handle, &count, nullptr) != VK_SUCCESS)
    return {};
  std::vector<Structure> all(count, typed<Structure>(type));
  check(function(physical.handle, &count, all.data()), "its cooperative matrices");
  all.resize(count);
  return all;
}

template <class Structure>
Structure propertiesOf(const Physical& physical, VkStructureType type) {
  auto found = typed<Structure>(type);
  auto core = typed<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &found);
  physical.vk->vkGetPhysicalDeviceProperties2(physical.handle, &core);
  return found;
}

template <class Structure>
Structure featuresOf(const Physical& physical, VkStructureType type) {
  auto features = typed<Structure>(type);
  auto core = typed<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features);
  physical.vk->vkGetPhysicalDeviceFeatures2(physical.handle, &core);
  return features;
}

// Whether pipelines can have full subgroups of 32 invocations.
bool holdsMatrices(const Physical& physical, const DeviceInfo& info) {
  if (info.apiVersion < VK_API_VERSION_1_3 &&
      !hasExtension(physical, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
    return false;
  const auto features = featuresOf<VkPhysicalDeviceSubgroupSizeControlFeatures>(
      physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
  const auto sizes = propertiesOf<VkPhysicalDeviceSubgroupSizeControlProperties>(
      physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  return features.subgroupSizeControl == VK_TRUE && features.computeFullSubgroups == VK_TRUE &&
         sizes.minSubgroupSize <= matrixLanes && matrixLanes <= sizes.maxSubgroupSize &&
         (sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
}

bool hasMemoryModel(const Physical& physical) {
  FeatureChain has;
  physical.vk->vkGetPhysicalDeviceFeatures2(physical.handle, &has.core);
  return has.vulkan12.vulkanMemoryModel == VK_TRUE;
}

void addKhrShapes(const Physical& physical, std::vector<MatrixShape>& shapes) {
  if (!hasExtension(physical, khrMatrixExtension) ||
      featuresOf<KhrMatrixFeatures>(physical, khrMatrixFeaturesType).cooperativeMatrix == VK_FALSE)
    return;
  const auto get =
      physical.vk->find<GetKhrMatrixProperties>("vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
  for (const auto& each : listed<KhrMatrixProperties>(physical, get, khrMatrixPropertiesType)) {
    shapes.push_back({MatrixKind::khr,
                      {each.MSize, each.NSize, each.KSize},
                      {nameOf(each.AType), nameOf(each.BType), nameOf(each.CType), nameOf(each.ResultType)},
                      nameOf(each.scope),
                      each.saturatingAccumulation == VK_TRUE});
  }
}

void addNvShapes(const Physical& physical, std::vector<MatrixShape>& shapes) {
  if (!hasExtension(physical, VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME) ||
      featuresOf<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(
          physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV)
              .cooperativeMatrix == VK_FALSE)
    return;
  const auto get = physical.vk->find<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV>(
      "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV");
  for (const auto& each : listed<VkCooperativeMatrixPropertiesNV>(
           physical, get, VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV)) {
    shapes.push_back({MatrixKind::nv,
                      {each.MSize, each.NSize, each.KSize},
                      {nameOf(each.AType), nameOf(each.BType), nameOf(each.CType), nameOf(each.DType)},
                      nameOf(each.scope),
                      false});
  }
}

// Whether matrices of workgroups of this many invocations may have any sizes that are multiples of 32x32x16,
// of halves with the sum type `sum`.
bool hasFlexible(const std::vector<FlexibleMatrixProperties>& shapes, uint32_t invocations,
                 VkComponentTypeNV sum) {
  return std::ranges::any_of(shapes, [&](const FlexibleMatrixProperties& shape) {
    return shape.scope == VK_SCOPE_WORKGROUP_NV && shape.workgroupInvocations == invocations &&
           shape.AType == VK_COMPONENT_TYPE_FLOAT16_NV && shape.BType == shape.AType && shape.CType == sum &&
           shape.ResultType == sum && shape.saturatingAccumulation == VK_FALSE &&
           32 % shape.MGranularity == 0 && 32 % shape.NGranularity == 0 && 16 % shape.KGranularity == 0;
  });
}

Matrix2Properties matrix2Properties(const Physical& physical) {
  return propertiesOf<Matrix2Properties>(physical, matrix2PropertiesType);
}

// Halves of whole workgroups of 128 and 256 invocations, of flexible sizes up to 256, that are reached by
// tensor addressing and number by number.
bool hasWorkgroupMatrices(const Physical& physical) {
  if (!hasExtension(physical, matrix2Extension))
    return false;
  const auto features = featuresOf<Matrix2Features>(physical, matrix2FeaturesType);
  const Matrix2Properties most = matrix2Properties(physical);
  const auto get = physical.vk->find<GetFlexibleMatrixProperties>(
      "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV");
  const auto shapes = listed<FlexibleMatrixProperties>(physical, get, matrix2FlexibleType);
  bool hasAll = hasUsedFeatures(features) && most.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize >= 256 &&
                most.cooperativeMatrixFlexibleDimensionsMaxDimension >= 256;
  for (const uint32_t invocations : {128U, 256U}) {
    hasAll = hasAll && hasFlexible(shapes, invocations, VK_COMPONENT_TYPE_FLOAT16_NV) &&
             hasFlexible(shapes, invocations, VK_COMPONENT_TYPE_FLOAT32_NV);
  }
  return hasAll;
}

bool hasShape(const std::vector<MatrixShape>& shapes, MatrixKind kind, const std::string& sum) {
  const std::array<uint32_t, 3> size = {16, 16, 16};
  const std::array<std::string, 4> types = {"f16", "f16", sum, sum};
  return std::ranges::any_of(shapes, [&](const MatrixShape& shape) {
    return shape.kind == kind && shape.size == size && shape.types == types && shape.scope == "subgroup" &&
           !shape.saturates;
  });
}

}  // namespace

MatrixKind bestMatrices(const std::vector<MatrixShape>& shapes, MatrixKind most) {
  for (const MatrixKind kind : {MatrixKind::khr, MatrixKind::nv})
    if (kind <= most && hasShape(shapes, kind, "f16") && hasShape(shapes, kind, "f32"))
      return kind;
  return MatrixKind::emulated;
}

bool hasUsedFeatures(const Matrix2Features& features) {
  return features.cooperativeMatrixWorkgroupScope == VK_TRUE &&
         features.cooperativeMatrixFlexibleDimensions == VK_TRUE &&
         features.cooperativeMatrixTensorAddressing == VK_TRUE &&
         features.cooperativeMatrixPerElementOperations == VK_TRUE;
}

void readMatrices(const Physical& physical, DeviceInfo& info) {
  addKhrShapes(physical, info.matrixShapes);
  addNvShapes(physical, info.matrixShapes);
  Limits& limits = info.limits;
  if (limits.float16 && hasMemoryModel(physical) && holdsMatrices(physical, info))
    limits.matrices = bestMatrices(info.matrixShapes, MatrixKind::khr);
  VkPhysicalDeviceProperties properties{};
  physical.vk->vkGetPhysicalDeviceProperties(physical.handle, &properties);
  limits.eightOfMatrix = limits.matrices != MatrixKind::emulated && properties.vendorID == 0x10DE;
  limits.workgroupMatrices = limits.matrices == MatrixKind::khr && hasWorkgroupMatrices(physical);
  if (limits.workgroupMatrices) {
    limits.workgroupMatrixSharedMemory =
        matrix2Properties(physical).cooperativeMatrixWorkgroupScopeReservedSharedMemory;
  }
}

template <class Structure>
void MatrixFeatures::add(Structure& structure) {
  structure.pNext = first_;
  first_ = &structure;
}

MatrixFeatures::MatrixFeatures(const Physical& physical, const Limits& limits, const void* next)
    : first_(const_cast<void*>(next)) {
  if (limits.matrices == MatrixKind::emulated)
    return;
  subgroups_ = typed<VkPhysicalDeviceSubgroupSizeControlFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
  subgroups_.subgroupSizeControl = VK_TRUE;
  subgroups_.computeFullSubgroups = VK_TRUE;
  add(subgroups_);
  if (hasExtension(physical, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
    extensions_.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  if (limits.matrices == MatrixKind::khr) {
    khr_ = typed<KhrMatrixFeatures>(khrMatrixFeaturesType);
    khr_.cooperativeMatrix = VK_TRUE;
    add(khr_);
    extensions_.push_back(khrMatrixExtension);
  } else {
    nv_ = typed<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV);
    nv_.cooperativeMatrix = VK_TRUE;
    add(nv_);
    extensions_.push_back(VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME);
  }
  if (limits.workgroupMatrices) {
    matrix2_ = featuresOf<Matrix2Features>(physical, matrix2FeaturesType);  // all of them
    add(matrix2_);
    extensions_.push_back(matrix2Extension);
  }
}

}  // namespace lacuna::vk
