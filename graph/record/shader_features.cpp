#include "graph/record/shader_features.h"

#include <fmt/format.h>

#include <set>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/vk/device_choice.h"
#include "graph/vk/matrices.h"

namespace lacuna::vk {
namespace {

struct ShaderFeature {
  uint32_t first, last;  // SPIR-V's capabilities
  const char* name;
  const char* extension;  // nullptr: none
  bool (*has)(const Limits& limits);
};

bool hasMatrices(const Limits& limits) {
  return limits.matrices != MatrixKind::emulated;
}

constexpr ShaderFeature shaderFeatures[] = {
    {9, 9, "shaderFloat16", nullptr, [](const Limits& limits) { return limits.float16; }},
    {4433, 4433, "storageBuffer16BitAccess", nullptr, [](const Limits& limits) { return limits.storage16; }},
    {5347, 5347, "bufferDeviceAddress", nullptr, [](const Limits& limits) { return limits.bufferAddresses; }},
    {62, 62, "VK_SUBGROUP_FEATURE_VOTE_BIT", nullptr,
     [](const Limits& limits) { return limits.subgroupVote; }},
    {65, 65, "VK_SUBGROUP_FEATURE_SHUFFLE_BIT", nullptr,
     [](const Limits& limits) { return limits.shuffledLanes > 0; }},
    {5345, 5345, "vulkanMemoryModel", nullptr, hasMatrices},
    {6022, 6022, "cooperativeMatrix", khrMatrixExtension,
     [](const Limits& limits) { return limits.matrices == MatrixKind::khr; }},
    {5357, 5357, "cooperativeMatrix", VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME, hasMatrices},
    // Full subgroups of a size, with which matrices are used.
    {6022, 6022, "subgroupSizeControl", nullptr, hasMatrices},
    {6022, 6022, "computeFullSubgroups", nullptr, hasMatrices},
    {5357, 5357, "subgroupSizeControl", nullptr, hasMatrices},
    {5357, 5357, "computeFullSubgroups", nullptr, hasMatrices},
    {5430, 5439, "cooperativeMatrixWorkgroupScope", matrix2Extension,
     [](const Limits& limits) { return limits.workgroupMatrices; }},
    {5430, 5439, "cooperativeMatrixFlexibleDimensions", nullptr,
     [](const Limits& limits) { return limits.workgroupMatrices; }},
    {5430, 5439, "cooperativeMatrixTensorAddressing", nullptr,
     [](const Limits& limits) { return limits.workgroupMatrices; }},
    {5430, 5439, "cooperativeMatrixPerElementOperations", nullptr,
     [](const Limits& limits) { return limits.workgroupMatrices; }},
};

// They stand first.
std::set<uint32_t> capabilitiesOf(const Code& spirv) {
  constexpr size_t header = 5;
  constexpr uint32_t opCapability = 2U << 16U | 17U;
  std::set<uint32_t> found;
  for (const auto& words : spirv)
    if (words != nullptr)
      for (size_t at = header; at + 1 < words->size() && (*words)[at] == opCapability; at += 2)
        found.insert((*words)[at + 1]);
  return found;
}

std::vector<const ShaderFeature*> usedFeatures(const Code& spirv) {
  const std::set<uint32_t> capabilities = capabilitiesOf(spirv);
  std::vector<const ShaderFeature*> used;
  for (const ShaderFeature& feature : shaderFeatures) {
    const auto from = capabilities.lower_bound(feature.first);
    if (from != capabilities.end() && *from <= feature.last)
      used.push_back(&feature);
  }
  return used;
}

}  // namespace

VulkanFeatures featuresOf(const Code& spirv, uint32_t apiVersion) {
  VulkanFeatures needs{.features = requiredFeatures()};
  const bool isEarly = apiVersion < VK_API_VERSION_1_3;
  const auto add = [](std::vector<std::string>& list, const char* name) {
    if (!contains(list, name))
      list.emplace_back(name);
  };
  if (isEarly)
    add(needs.extensions, VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
  for (const ShaderFeature* feature : usedFeatures(spirv)) {
    add(needs.features, feature->name);
    if (feature->extension != nullptr)
      add(needs.extensions, feature->extension);
    if (isEarly && feature->name == std::string("subgroupSizeControl"))
      add(needs.extensions, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  }
  return needs;
}

std::string missingFor(const Code& spirv, uint32_t lanes, const Limits& limits) {
  std::vector<std::string> missing;
  for (const ShaderFeature* feature : usedFeatures(spirv))
    if (!feature->has(limits) && !contains(missing, feature->name))
      missing.emplace_back(feature->name);
  if (lanes > 0 && limits.shuffledLanes != lanes)
    missing.push_back(fmt::format("subgroups of {} invocations", lanes));
  return fmt::format("{}", fmt::join(missing, ", "));
}

}  // namespace lacuna::vk
