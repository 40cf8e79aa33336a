// lacuna devices: the devices, the one that a run would take, and its limits.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graph/config/json_text.h"
#include "graph/vk/device.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

constexpr int noUsableDevice = 3;

std::string bytes(uint64_t count) {
  constexpr uint64_t kibi = 1024;
  if (count >= kibi * kibi * kibi)
    return fmt::format("{:.1f} GiB", static_cast<double>(count) / (kibi * kibi * kibi));
  return count >= kibi * kibi ? fmt::format("{} MiB", count / (kibi * kibi))
                              : fmt::format("{} KiB", count / kibi);
}

const char* matrixExtension(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::khr:
      return "VK_KHR_cooperative_matrix";
    case MatrixKind::nv:
      return "VK_NV_cooperative_matrix";
    case MatrixKind::emulated:
      break;
  }
  return "none";
}

// "16x16x16 f16 f16 + f32 -> f32, subgroup, VK_KHR_cooperative_matrix"
std::string describeShape(const vk::MatrixShape& shape) {
  return fmt::format("{}x{}x{} {} {} + {} -> {}{}, {}, {}", shape.size[0], shape.size[1], shape.size[2],
                     shape.types[0], shape.types[1], shape.types[2], shape.types[3],
                     shape.saturates ? " saturated" : "", shape.scope, matrixExtension(shape.kind));
}

std::string describeUsed(const vk::Limits& limits) {
  if (limits.matrices == MatrixKind::emulated)
    return "none: modules multiply in plain arithmetic";
  return fmt::format(
      "16x16x16 f16 by {}{}", matrixExtension(limits.matrices),
      limits.workgroupMatrices
          ? fmt::format("; of workgroups by VK_NV_cooperative_matrix2, which takes {} of shared memory",
                        bytes(limits.workgroupMatrixSharedMemory))
          : "");
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows(const vk::DeviceInfo& info) {
  const vk::Limits& limits = info.limits;
  Rows result = {{"kind", info.kind},
                 {"driver", info.driver},
                 {"Vulkan", info.vulkan},
                 {"UUID", info.uuid},
                 {"memory", bytes(info.memoryBytes)},
                 {"allocation", bytes(limits.maxAllocation)},
                 {"image side", fmt::format("{} pixels", limits.maxImageSize)},
                 {"storage buffer", bytes(limits.maxStorageBufferRange) +
                                        (limits.bufferAddresses ? ", larger arrays by their address" : "")},
                 {"shared memory", bytes(limits.maxSharedMemory)},
                 {"workgroup", fmt::format("{} invocations", limits.maxWorkgroupInvocations)},
                 {"workgroups", fmt::format("{} x {} x {}", limits.maxWorkgroups[0], limits.maxWorkgroups[1],
                                            limits.maxWorkgroups[2])},
                 {"subgroup", fmt::format("{} invocations", limits.subgroupSize)}};
  for (const vk::MatrixShape& shape : info.matrixShapes) {
    const bool first = &shape == info.matrixShapes.data();
    result.emplace_back(first ? "matrices" : "", describeShape(shape));
  }
  result.emplace_back("matrices used", describeUsed(limits));
  if (!info.unusable.empty())
    result.emplace_back("unusable", info.unusable);
  return result;
}

void printText(const std::vector<vk::DeviceInfo>& devices, int best) {
  for (size_t i = 0; i < devices.size(); ++i) {
    fmt::print("{}{}: {}{}\n", i == 0 ? "" : "\n", i, devices[i].name,
               static_cast<int>(i) == best ? "  (default)" : "");
    for (const auto& [label, value] : rows(devices[i]))
      fmt::print("  {:<16}{}\n", label, value);
  }
}

void printJson(const std::vector<vk::DeviceInfo>& devices, int best) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (size_t i = 0; i < devices.size(); ++i) {
    const vk::DeviceInfo& info = devices[i];
    const vk::Limits& limits = info.limits;
    nlohmann::ordered_json shapes = nlohmann::ordered_json::array();
    for (const vk::MatrixShape& shape : info.matrixShapes) {
      shapes.push_back({{"extension", matrixExtension(shape.kind)},
                        {"m", shape.size[0]},
                        {"n", shape.size[1]},
                        {"k", shape.size[2]},
                        {"a", shape.types[0]},
                        {"b", shape.types[1]},
                        {"c", shape.types[2]},
                        {"result", shape.types[3]},
                        {"scope", shape.scope},
                        {"saturates", shape.saturates}});
    }
    list.push_back({{"number", i},
                    {"name", info.name},
                    {"uuid", info.uuid},
                    {"kind", info.kind},
                    {"driver", info.driver},
                    {"apiVersion", info.vulkan},
                    {"default", static_cast<int>(i) == best},
                    {"unusable", info.unusable},
                    {"limits",
                     {{"memoryBytes", info.memoryBytes},
                      {"allocationBytes", limits.maxAllocation},
                      {"imageSidePixels", limits.maxImageSize},
                      {"storageBufferBytes", limits.maxStorageBufferRange},
                      {"bufferAddresses", limits.bufferAddresses},
                      {"sharedMemoryBytes", limits.maxSharedMemory},
                      {"workgroupInvocations", limits.maxWorkgroupInvocations},
                      {"workgroups", limits.maxWorkgroups},
                      {"subgroupInvocations", limits.subgroupSize}}},
                    {"matrices",
                     {{"used", matrixExtension(limits.matrices)},
                      {"workgroupScope", limits.workgroupMatrices},
                      {"workgroupScopeSharedBytes", limits.workgroupMatrixSharedMemory},
                      {"shapes", std::move(shapes)}}}});
  }
  fmt::print("{}\n", jsonText(list, 2));
}

}  // namespace

int runDevices(bool json) {
  std::vector<vk::DeviceInfo> devices;
  std::string reason = "no usable Vulkan device";
  try {
    devices = vk::listDevices();
  } catch (const vk::DeviceError& error) {
    reason = error.what();
  }
  const auto usable = std::find_if(devices.begin(), devices.end(),
                                   [](const vk::DeviceInfo& info) { return info.unusable.empty(); });
  const int best = usable == devices.end() ? -1 : static_cast<int>(usable - devices.begin());
  if (json)
    printJson(devices, best);
  else
    printText(devices, best);
  if (best < 0) {
    printError(reason);
    return noUsableDevice;
  }
  return 0;
}

}  // namespace lacuna
