#include "graph/vk/device_choice.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

#include "graph/lists.h"
#include "graph/vk/matrices.h"
#include "graph/vk/memory.h"
#include "graph/vk/result.h"

namespace lacuna::vk {
namespace {

using CoreFeature = std::pair<const char*, VkBool32 VkPhysicalDeviceFeatures::*>;
using Vulkan12Feature = std::pair<const char*, VkBool32 VkPhysicalDeviceVulkan12Features::*>;

// rg32ui is one of the extended formats; array bindings of images are indexed by constants only.
constexpr std::array<CoreFeature, 2> coreFeatures = {{
    {"shaderStorageImageExtendedFormats", &VkPhysicalDeviceFeatures::shaderStorageImageExtendedFormats},
    {"shaderStorageBufferArrayDynamicIndexing",
     &VkPhysicalDeviceFeatures::shaderStorageBufferArrayDynamicIndexing},
}};
// Parameter blocks are packed by words.
constexpr std::array<Vulkan12Feature, 2> vulkan12Features = {{
    {"uniformBufferStandardLayout", &VkPhysicalDeviceVulkan12Features::uniformBufferStandardLayout},
    {"scalarBlockLayout", &VkPhysicalDeviceVulkan12Features::scalarBlockLayout},
}};

constexpr uint32_t leastInvocations = 256;  // pointwise nodes and reductions need this many

// The best one first.
constexpr std::pair<std::string_view, VkPhysicalDeviceType> kinds[] = {
    {"discrete", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU},
    {"integrated", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU},
    {"virtual", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU},
    {"cpu", VK_PHYSICAL_DEVICE_TYPE_CPU},
    {"other", VK_PHYSICAL_DEVICE_TYPE_OTHER}};

std::string kindName(VkPhysicalDeviceType type) {
  const auto* found = std::ranges::find(kinds, type, [](const auto& kind) { return kind.second; });
  return std::string(found == std::end(kinds) ? "other" : found->first);
}

int rank(const DeviceInfo& info) {
  const auto* kind = std::ranges::find(kinds, info.kind, [](const auto& each) { return each.first; });
  return static_cast<int>(kind - std::begin(kinds)) + (info.unusable.empty() ? 0 : 100);
}

void readLimits(const VkPhysicalDeviceLimits& limits, DeviceInfo& info) {
  info.imageSide = static_cast<int>(limits.maxImageDimension2D);
  info.limits.cpu = info.isCpu();
  info.limits.maxImageSize = limits.maxImageDimension2D;
  info.limits.maxStorageBufferRange = limits.maxStorageBufferRange;
  info.limits.maxSharedMemory = limits.maxComputeSharedMemorySize;
  info.limits.maxWorkgroupInvocations = limits.maxComputeWorkGroupInvocations;
  std::copy_n(limits.maxComputeWorkGroupCount, 3, info.limits.maxWorkgroups.begin());
  info.limits.maxBindings = {
      limits.maxPerStageDescriptorStorageBuffers,
      std::min(limits.maxPerStageDescriptorSampledImages, limits.maxPerStageDescriptorSamplers),
      limits.maxPerStageDescriptorStorageImages};
}

void readMemory(const Physical& physical, uint64_t mostAtOnce, DeviceInfo& info) {
  VkPhysicalDeviceMemoryProperties memory{};
  physical.vk->vkGetPhysicalDeviceMemoryProperties(physical.handle, &memory);
  for (uint32_t i = 0; i < memory.memoryHeapCount; ++i)
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      info.memoryBytes = std::max<uint64_t>(info.memoryBytes, memory.memoryHeaps[i].size);
  info.allocationBytes = std::min(mostAtOnce, info.memoryBytes);
  info.limits.maxAllocation = info.allocationBytes;
  if (info.isCpu()) {
    // Mesa states 2 GiB for any machine, and doesn't track use.
    info.memoryBytes =
        static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  }
}

// Empty if a format can be stored to, sampled and copied.
std::string formatReason(const Physical& physical) {
  constexpr VkFormatFeatureFlags needed =
      VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
      VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  for (const auto& [format, vulkan] : imageFormats) {
    VkFormatProperties properties{};
    physical.vk->vkGetPhysicalDeviceFormatProperties(physical.handle, vulkan, &properties);
    if ((properties.optimalTilingFeatures & needed) != needed)
      return fmt::format("no storage images of format {}", name(format));
  }
  return {};
}

std::string whyUnusable(const Physical& physical, uint32_t apiVersion) {
  if (apiVersion < VK_API_VERSION_1_2) {
    return fmt::format("it has Vulkan {}.{}, 1.2 is needed", VK_API_VERSION_MAJOR(apiVersion),
                       VK_API_VERSION_MINOR(apiVersion));
  }
  if (apiVersion < VK_API_VERSION_1_3 && !hasExtension(physical, VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME))
    return "it lacks VK_KHR_synchronization2";
  FeatureChain has;
  physical.vk->vkGetPhysicalDeviceFeatures2(physical.handle, &has.core);
  if (const std::string missing = missingFeature(has); !missing.empty())
    return fmt::format("it lacks the feature {}", missing);
  if (computeQueueFamily(physical) < 0)
    return "it has no queue for compute";
  VkPhysicalDeviceProperties properties{};
  physical.vk->vkGetPhysicalDeviceProperties(physical.handle, &properties);
  if (properties.limits.maxComputeWorkGroupInvocations < leastInvocations) {
    return fmt::format("it allows {} invocations a workgroup, {} are needed",
                       properties.limits.maxComputeWorkGroupInvocations, leastInvocations);
  }
  return formatReason(physical);
}

// Features that some modules or sizes need.
void readFeatures(const Physical& physical, Limits& limits) {
  FeatureChain has;
  physical.vk->vkGetPhysicalDeviceFeatures2(physical.handle, &has.core);
  limits.float16 = has.vulkan12.shaderFloat16 == VK_TRUE;
  limits.storage16 = has.vulkan11.storageBuffer16BitAccess == VK_TRUE;
  limits.bufferAddresses = has.vulkan12.bufferDeviceAddress == VK_TRUE;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A number is a place in the list and never a part of a name, or "1" would be a device with driver 15.0.
bool isNumber(const std::string& select) {
  return select.size() < 10 && std::ranges::all_of(select, [](unsigned char c) { return std::isdigit(c); });
}

// Fewer letters and digits are in almost every name.
bool isTooShort(const std::string& select) {
  return std::ranges::count_if(select, [](unsigned char c) { return std::isalnum(c); }) < 3;
}

bool matches(const std::vector<Candidate>& candidates, size_t number, const std::string& select) {
  if (isNumber(select))
    return number == std::stoul(select);
  const DeviceInfo& info = candidates[number].info;
  const std::string wanted = lower(select);
  if (wanted == "cpu")
    return info.isCpu();
  std::string digits = wanted;
  digits.erase(std::remove(digits.begin(), digits.end(), '-'), digits.end());
  return digits == info.uuid || lower(info.name).find(wanted) != std::string::npos;
}

std::string noMatch(const std::string& select) {
  if (isNumber(select))
    return fmt::format("there is no device {}: a number is a place in the list, from 0", select);
  return isTooShort(select)
             ? fmt::format(
                   "device '{}': a part of a name has at least 3 letters or digits; expected more of it, a "
                   "number of the list, a UUID or cpu",
                   select)
             : fmt::format("no device matches '{}'", select);
}

std::string list(const std::vector<Candidate>& candidates) {
  if (candidates.empty())
    return "\nThe Vulkan drivers found no device at all (for a CPU one: Debian package mesa-vulkan-drivers)";
  std::string text = "\nThere are:";
  for (size_t i = 0; i < candidates.size(); ++i) {
    const DeviceInfo& info = candidates[i].info;
    text += fmt::format("\n  {}: {} ({}, {}, UUID {}){}{}", i, info.name, info.kind, info.driver, info.uuid,
                        info.unusable.empty() ? "" : ": can't be used, ", info.unusable);
  }
  return text;
}

}  // namespace

DeviceInfo infoOf(const Physical& physical) {
  auto driver = typed<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
  auto subgroup = typed<VkPhysicalDeviceSubgroupProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &driver);
  auto identity =
      typed<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &subgroup);
  auto maintenance = typed<VkPhysicalDeviceMaintenance3Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, &identity);
  auto properties =
      typed<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &maintenance);
  physical.vk->vkGetPhysicalDeviceProperties2(physical.handle, &properties);

  DeviceInfo info;
  info.name = properties.properties.deviceName;
  for (const uint8_t byte : identity.deviceUUID)
    info.uuid += fmt::format("{:02x}", byte);
  info.kind = kindName(properties.properties.deviceType);
  info.driver = fmt::format("{} {}", driver.driverName, driver.driverInfo);
  info.apiVersion = properties.properties.apiVersion;
  info.vulkan = fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(info.apiVersion),
                            VK_API_VERSION_MINOR(info.apiVersion), VK_API_VERSION_PATCH(info.apiVersion));
  readLimits(properties.properties.limits, info);
  readMemory(physical, maintenance.maxMemoryAllocationSize, info);
  info.limits.subgroupSize = subgroup.subgroupSize;
  if ((subgroup.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0)
    info.limits.shuffledLanes = subgroup.subgroupSize;
  info.limits.subgroupVote = (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
                             (subgroup.supportedOperations & VK_SUBGROUP_FEATURE_VOTE_BIT) != 0;
  info.limits.smallLoops = driver.driverID == VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
  readFeatures(physical, info.limits);
  readMatrices(physical, info);
  info.unusable = whyUnusable(physical, info.apiVersion);
  return info;
}

FeatureChain::FeatureChain() {
  core.pNext = &vulkan11;
  vulkan11.pNext = &vulkan12;
  vulkan12.pNext = &synchronization2;
}

std::string missingFeature(const FeatureChain& has) {
  for (const auto& [name, member] : coreFeatures)
    if (has.core.features.*member == VK_FALSE)
      return name;
  for (const auto& [name, member] : vulkan12Features)
    if (has.vulkan12.*member == VK_FALSE)
      return name;
  return has.synchronization2.synchronization2 == VK_FALSE ? "synchronization2" : "";
}

std::vector<std::string> requiredFeatures() {
  std::vector<std::string> names;
  for (const auto& [name, member] : coreFeatures)
    names.emplace_back(name);
  for (const auto& [name, member] : vulkan12Features)
    names.emplace_back(name);
  names.emplace_back("synchronization2");
  return names;
}

void requireFeatures(FeatureChain& features, const Limits& limits) {
  features.vulkan12.shaderFloat16 = limits.float16 ? VK_TRUE : VK_FALSE;
  features.vulkan11.storageBuffer16BitAccess = limits.storage16 ? VK_TRUE : VK_FALSE;
  features.vulkan12.bufferDeviceAddress = limits.bufferAddresses ? VK_TRUE : VK_FALSE;
  // Requirements of SPIR-V's extensions for matrices.
  features.vulkan12.vulkanMemoryModel = limits.matrices == MatrixKind::emulated ? VK_FALSE : VK_TRUE;
  for (const auto& [name, member] : coreFeatures)
    features.core.features.*member = VK_TRUE;
  for (const auto& [name, member] : vulkan12Features)
    features.vulkan12.*member = VK_TRUE;
  features.synchronization2.synchronization2 = VK_TRUE;
}

std::vector<VkQueueFamilyProperties> queueFamilies(const Physical& physical) {
  uint32_t count = 0;
  physical.vk->vkGetPhysicalDeviceQueueFamilyProperties(physical.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  physical.vk->vkGetPhysicalDeviceQueueFamilyProperties(physical.handle, &count, families.data());
  return families;
}

int computeQueueFamily(const Physical& physical) {
  const std::vector<VkQueueFamilyProperties> families = queueFamilies(physical);
  int found = -1;
  for (uint32_t i = 0; i < families.size(); ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)
      continue;
    if (families[i].timestampValidBits > 0)
      return static_cast<int>(i);
    found = found < 0 ? static_cast<int>(i) : found;
  }
  return found;
}

bool hasExtension(const Physical& physical, const char* name) {
  const auto extensions =
      enumerate("its extensions", VkExtensionProperties{}, physical.vk->vkEnumerateDeviceExtensionProperties,
                physical.handle, nullptr);
  return std::ranges::any_of(extensions, [name](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, name) == 0;
  });
}

bool relatesClocks(const Physical& physical) {
  if (!hasExtension(physical, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME))
    return false;
  const auto list = physical.vk->find<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(
      "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT");
  const auto domains = enumerate("its clocks", VkTimeDomainEXT{}, list, physical.handle);
  return contains(domains, VK_TIME_DOMAIN_DEVICE_EXT) &&
         contains(domains, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
}

std::vector<Candidate> findDevices(const Instance& instance) {
  std::vector<Candidate> candidates;
  for (const Physical& physical : instance.physicalDevices())
    candidates.push_back({physical, infoOf(physical)});
  std::ranges::stable_sort(
      candidates, [](const Candidate& a, const Candidate& b) { return rank(a.info) < rank(b.info); });
  return candidates;
}

const Candidate& chooseDevice(const std::vector<Candidate>& candidates, const std::string& select) {
  const Candidate* refused = nullptr;
  if (!select.empty() && !isNumber(select) && isTooShort(select))
    throw DeviceError(noMatch(select) + list(candidates));
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    if (!select.empty() && !matches(candidates, i, select))
      continue;
    if (candidate.info.unusable.empty())
      return candidate;
    refused = refused == nullptr ? &candidate : refused;
  }
  if (refused != nullptr && !select.empty()) {
    throw DeviceError(fmt::format("device '{}' can't be used: {}{}", refused->info.name,
                                  refused->info.unusable, list(candidates)));
  }
  if (!select.empty())
    throw DeviceError(noMatch(select) + list(candidates));
  throw DeviceError("no usable Vulkan device" + list(candidates));
}

}  // namespace lacuna::vk
