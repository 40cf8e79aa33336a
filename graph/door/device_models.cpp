#include <map>

#include "graph/door/errors.h"
#include "graph/door/lacuna/vulkan.h"
#include "graph/door/load_graph.h"

namespace lacuna {
namespace {

constexpr uint32_t many = 1'000'000;  // bindings: more than any pass has

DeviceModel lavapipe() {
  DeviceModel model;
  model.maxSharedMemory = 32768;
  model.maxWorkgroupInvocations = 1024;
  model.subgroupVote = true;
  model.shuffledLanes = 8;
  model.float16 = true;
  model.storage16 = true;
  model.bufferAddresses = true;
  model.maxBindings = {32, 128, 64};
  model.maxAllocation = 2ULL << 30U;
  return model;
}

DeviceModel gpu(uint32_t sharedMemory) {
  DeviceModel model = lavapipe();
  model.cpu = false;
  model.shuffledLanes = 32;
  model.maxStorageBufferRange = UINT32_MAX;
  model.maxSharedMemory = sharedMemory;
  model.maxBindings = {many, many, many};
  model.maxAllocation = 4ULL << 30U;
  return model;
}

// What Vulkan guarantees, and what GPUs have that Vulkan 1.2 runs on. Networks for sequences need more than
// 16 storage buffers. In vulkan.gpuinfo.org's reports two GPUs never bind 24, 64 not with every driver
// (gpuweb issue 4235, 2023). GPUs of desktops bind 1 GiB (Intel's) or 4 GiB as one buffer, where Vulkan
// guarantees 128 MiB: too little for a network at 1920x1080. What a device lacks of this, a bundle's library
// says when it loads.
DeviceModel anyGpu() {
  return {.cpu = false, .maxStorageBufferRange = 1ULL << 30U, .storage16 = true, .maxBindings = {24, 16, 8}};
}

// GeForce RTX 30 and later, H100, H200: driver 580.
DeviceModel nvidia() {
  DeviceModel model = gpu(49152);
  model.maxImageSize = 32768;
  model.matrices = MatrixKind::khr;
  model.eightOfMatrix = true;
  model.workgroupMatrices = true;
  return model;
}

// Radeon RX 7000: Mesa's RADV.
DeviceModel amd() {
  DeviceModel model = gpu(65536);
  model.matrices = MatrixKind::khr;
  return model;
}

// Arc: Mesa's ANV, whose matrices are not 16x16x16.
DeviceModel intel() {
  return gpu(65536);
}

const std::map<std::string, DeviceModel>& models() {
  static const std::map<std::string, DeviceModel> all = {{"amd", amd()},
                                                         {anyDevice, anyGpu()},
                                                         {"intel", intel()},
                                                         {"lavapipe", lavapipe()},
                                                         {"nvidia", nvidia()}};
  return all;
}

}  // namespace

std::vector<std::string> deviceModels() {
  std::vector<std::string> names;
  for (const auto& [name, model] : models())
    names.push_back(name);
  return names;
}

namespace door {

const DeviceModel& deviceModel(const std::string& name) {
  const auto found = models().find(name);
  if (found == models().end())
    refuse("unknown device '{}'; {}", name, suggest(name, deviceModels()));
  return found->second;
}

}  // namespace door
}  // namespace lacuna
