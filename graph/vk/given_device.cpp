#include "graph/vk/given_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/lists.h"
#include "graph/vk/device_choice.h"
#include "graph/vk/matrices.h"

namespace lacuna::vk {
namespace {

// What a device was created with, as far as Lacuna uses it.
struct Enabled : NoCopy {
  explicit Enabled(const VulkanDevice& given) : extensions(given.extensions) {
    const auto* next = reinterpret_cast<const VkBaseInStructure*>(given.features);
    for (; next != nullptr; next = next->pNext)
      read(*next);
  }

  bool has(const char* extension) const { return contains(extensions, extension); }

  const std::vector<std::string>& extensions;
  FeatureChain features;
  bool fullSubgroups = false, khrMatrices = false, nvMatrices = false, matrices2 = false;

 private:
  void read(const VkBaseInStructure& structure);
};

template <class Structure>
const Structure& as(const VkBaseInStructure& structure) {
  return reinterpret_cast<const Structure&>(structure);
}

// Structures of a version and of the extension that it took up have the same features.
void Enabled::read(const VkBaseInStructure& structure) {
  VkPhysicalDeviceVulkan12Features& vulkan12 = features.vulkan12;
  const auto subgroups = [this](const auto& from) {
    fullSubgroups = from.subgroupSizeControl == VK_TRUE && from.computeFullSubgroups == VK_TRUE;
  };
  switch (structure.sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
      features.core.features = as<VkPhysicalDeviceFeatures2>(structure).features;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
      features.vulkan11.storageBuffer16BitAccess =
          as<VkPhysicalDeviceVulkan11Features>(structure).storageBuffer16BitAccess;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
      features.vulkan11.storageBuffer16BitAccess =
          as<VkPhysicalDevice16BitStorageFeatures>(structure).storageBuffer16BitAccess;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES: {
      void* const next = vulkan12.pNext;
      vulkan12 = as<VkPhysicalDeviceVulkan12Features>(structure);
      vulkan12.pNext = next;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES:
      vulkan12.shaderFloat16 = as<VkPhysicalDeviceShaderFloat16Int8Features>(structure).shaderFloat16;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
      vulkan12.bufferDeviceAddress =
          as<VkPhysicalDeviceBufferDeviceAddressFeatures>(structure).bufferDeviceAddress;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES:
      vulkan12.uniformBufferStandardLayout =
          as<VkPhysicalDeviceUniformBufferStandardLayoutFeatures>(structure).uniformBufferStandardLayout;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES:
      vulkan12.scalarBlockLayout = as<VkPhysicalDeviceScalarBlockLayoutFeatures>(structure).scalarBlockLayout;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES:
      vulkan12.vulkanMemoryModel = as<VkPhysicalDeviceVulkanMemoryModelFeatures>(structure).vulkanMemoryModel;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES: {
      const auto& vulkan13 = as<VkPhysicalDeviceVulkan13Features>(structure);
      features.synchronization2.synchronization2 = vulkan13.synchronization2;
      subgroups(vulkan13);
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES:
      features.synchronization2.synchronization2 =
          as<VkPhysicalDeviceSynchronization2Features>(structure).synchronization2;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES:
      subgroups(as<VkPhysicalDeviceSubgroupSizeControlFeatures>(structure));
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV:
      nvMatrices = as<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(structure).cooperativeMatrix == VK_TRUE;
      break;
    default:
      if (structure.sType == khrMatrixFeaturesType)
        khrMatrices = as<KhrMatrixFeatures>(structure).cooperativeMatrix == VK_TRUE;
      else if (structure.sType == matrix2FeaturesType)
        matrices2 = hasUsedFeatures(as<Matrix2Features>(structure));
  }
}

// The best kind of matrices of the device that was enabled.
MatrixKind enabledMatrices(const DeviceInfo& info, const Enabled& enabled) {
  const bool sizesSubgroups =
      info.apiVersion >= VK_API_VERSION_1_3 || enabled.has(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  if (!enabled.fullSubgroups || !sizesSubgroups || enabled.features.vulkan12.vulkanMemoryModel == VK_FALSE ||
      enabled.features.vulkan12.shaderFloat16 == VK_FALSE)
    return MatrixKind::emulated;
  MatrixKind best = info.limits.matrices;
  if (best == MatrixKind::khr && !(enabled.khrMatrices && enabled.has(khrMatrixExtension)))
    best = bestMatrices(info.matrixShapes, MatrixKind::nv);
  if (best == MatrixKind::nv && !(enabled.nvMatrices && enabled.has(VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME)))
    best = MatrixKind::emulated;
  return best;
}

void limitTo(const Enabled& enabled, DeviceInfo& info) {
  Limits& limits = info.limits;
  limits.float16 = limits.float16 && enabled.features.vulkan12.shaderFloat16 == VK_TRUE;
  limits.storage16 = limits.storage16 && enabled.features.vulkan11.storageBuffer16BitAccess == VK_TRUE;
  limits.bufferAddresses = limits.bufferAddresses && enabled.features.vulkan12.bufferDeviceAddress == VK_TRUE;
  limits.matrices = enabledMatrices(info, enabled);
  limits.eightOfMatrix = limits.eightOfMatrix && limits.matrices != MatrixKind::emulated;
  limits.workgroupMatrices = limits.workgroupMatrices && limits.matrices == MatrixKind::khr &&
                             enabled.matrices2 && enabled.has(matrix2Extension);
}

constexpr std::pair<VkFormat, ImageFormat> givenFormats[] = {
    {VK_FORMAT_R16G16B16A16_SFLOAT, ImageFormat::rgba16f},
    {VK_FORMAT_R32G32B32A32_SFLOAT, ImageFormat::rgba32f},
    {VK_FORMAT_R32_SFLOAT, ImageFormat::r32f},
    {VK_FORMAT_R16_SFLOAT, ImageFormat::r16f},
    {VK_FORMAT_R16G16_SFLOAT, ImageFormat::rg16f},
    {VK_FORMAT_R32G32_SFLOAT, ImageFormat::rg32f},
    {VK_FORMAT_R8G8B8A8_UNORM, ImageFormat::rgba8},
    {VK_FORMAT_R16G16B16A16_UNORM, ImageFormat::rgba16},
    {VK_FORMAT_B8G8R8A8_UNORM, ImageFormat::bgra8},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, ImageFormat::rgb10_a2},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, ImageFormat::r11f_g11f_b10f},
    {VK_FORMAT_D32_SFLOAT, ImageFormat::d32f}};

[[noreturn]] void refuse(const DeviceInfo& info, const std::string& why) {
  throw DeviceError(fmt::format("the program's device '{}' can't be used: {}", info.name, why));
}

DeviceInfo usableInfo(const Physical& physical, uint32_t apiVersion) {
  DeviceInfo info = infoOf(physical);
  info.apiVersion = std::min(info.apiVersion, apiVersion);
  if (!info.unusable.empty())
    refuse(info, info.unusable);
  if (info.apiVersion < VK_API_VERSION_1_2) {
    refuse(info, fmt::format("VulkanDevice::apiVersion is {}.{}, 1.2 is needed",
                             VK_API_VERSION_MAJOR(info.apiVersion), VK_API_VERSION_MINOR(info.apiVersion)));
  }
  return info;
}

}  // namespace

DeviceInfo offeredBy(const VulkanDevice& given) {
  const Instance instance(given.instance, given.getInstanceProcAddr);
  return usableInfo({given.physicalDevice, &instance.functions()}, given.apiVersion);
}

DeviceInfo infoAsCreated(const VulkanDevice& given, const Physical& physical) {
  DeviceInfo info = usableInfo(physical, given.apiVersion);
  const Enabled enabled(given);
  if (const std::string missing = missingFeature(enabled.features); !missing.empty())
    refuse(info, fmt::format("it was made without the feature {}; vulkanNeeds() lists all", missing));
  if (info.apiVersion < VK_API_VERSION_1_3 && !enabled.has(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME))
    refuse(info, "it was made without VK_KHR_synchronization2, which is needed before Vulkan 1.3");
  const std::vector<VkQueueFamilyProperties> families = queueFamilies(physical);
  if (given.queueFamily >= families.size() ||
      (families[given.queueFamily].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) {
    refuse(info, fmt::format("its queue family {} has no compute; it has {} families", given.queueFamily,
                             families.size()));
  }
  if (!given.allocator.allocate != !given.allocator.free)
    refuse(info, "its allocator has one function; expected allocate and free, or neither");
  limitTo(enabled, info);
  return info;
}

std::optional<ImageFormat> givenFormat(VkFormat format) {
  const auto* found = std::ranges::find(givenFormats, format, [](const auto& each) { return each.first; });
  return found == std::end(givenFormats) ? std::nullopt : std::optional(found->second);
}

VkFormat givenFormatOf(ImageFormat format) {
  const auto* found = std::ranges::find(givenFormats, format, [](const auto& each) { return each.second; });
  return found == std::end(givenFormats) ? VK_FORMAT_UNDEFINED : found->first;
}

VulkanNeeds needsOf(const DeviceInfo& offered, const Passes& passes) {
  VulkanNeeds needs;
  needs.needed.features = requiredFeatures();
  const bool isEarly = offered.apiVersion < VK_API_VERSION_1_3;
  if (isEarly)
    needs.needed.extensions.emplace_back(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
  const auto add = [](std::vector<std::string>& list, const char* name) {
    if (!contains(list, name))
      list.emplace_back(name);
  };
  std::vector<std::string>& features = needs.useful.features;
  std::vector<std::string>& extensions = needs.useful.extensions;
  for (const Pass& pass : passes.passes) {
    for (const Role& role : pass.roles) {
      if (role.type.isArray() && role.type.format == Format::f16)
        add(needs.needed.features, "storageBuffer16BitAccess");
      if (role.byAddress)
        add(needs.needed.features, "bufferDeviceAddress");
    }
    const std::optional<MatrixUse>& matrices = pass.shader.matrices;
    const VariantDescription* variant = pass.shader.kernel.variant;
    if ((matrices && matrices->float16) || (variant != nullptr && variant->float16))
      add(features, "shaderFloat16");
    if (!matrices || matrices->kind == MatrixKind::emulated)
      continue;
    for (const char* name :
         {"vulkanMemoryModel", "subgroupSizeControl", "computeFullSubgroups", "cooperativeMatrix"})
      add(features, name);
    if (isEarly)
      add(extensions, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    add(extensions,
        matrices->kind == MatrixKind::khr ? khrMatrixExtension : VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME);
    if (matrices->workgroup) {
      add(extensions, matrix2Extension);
      for (const char* name : {"cooperativeMatrixWorkgroupScope", "cooperativeMatrixFlexibleDimensions",
                               "cooperativeMatrixTensorAddressing", "cooperativeMatrixPerElementOperations"})
        add(features, name);
    }
  }
  return needs;
}

}  // namespace lacuna::vk
