#pragma once
// A Vulkan device, chosen and opened. This header doesn't expose Vulkan.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/device_model.h"
#include "graph/lists.h"
#include "graph/vk/device_description.h"

namespace lacuna {
struct VulkanDevice;
}  // namespace lacuna

namespace lacuna::vk {

// Thrown for everything that the device, its driver or its memory refuses. The text names cause and size.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Limits : DeviceModel {
  uint32_t subgroupSize = 0;
  uint32_t workgroupMatrixSharedMemory = 0;  // bytes of maxSharedMemory that these reserve
};

// A product of cooperative matrices that the driver offers: A of M x K times B of K x N.
struct MatrixShape {
  MatrixKind kind = MatrixKind::khr;  // by which extension
  std::array<uint32_t, 3> size{};     // M, N, K
  std::array<std::string, 4> types;   // of A, B, the addend, and the result: "f16"
  std::string scope;                  // "subgroup"
  bool saturates = false;
};

struct DeviceInfo : DeviceDescription {
  uint32_t apiVersion = 0;
  Limits limits;
  std::vector<MatrixShape> matrixShapes;
  bool isCpu() const { return kind == "cpu"; }
};

std::vector<DeviceInfo> listDevices();  // the best one first: discrete, integrated, virtual, cpu

struct DeviceOptions {
  std::string select;     // NAME (part of it), UUID, "cpu"; if empty, the best device
  bool validate = false;  // core and synchronization validation; an error if the layer is missing
  // Called before memory, buffers and images are made, with their bytes; if false, the call fails as if there
  // were no memory left. Tests of such failures set it.
  std::function<bool(uint64_t bytes)> mayAllocate{};
  uint64_t maxAllocation = 0;             // less than the device's own limit, for tests; 0 for that limit
  uint64_t maxStorageBufferRange = 0;     // likewise
  bool shaderStatistics = false;          // kept for Executable::shaderStatistics
  MatrixKind matrices = MatrixKind::khr;  // or a lower one than the device's, for tests
  // Memory begins as bytes of 0xff, which are NaN in f16 and f32, so that tests see unwritten values.
  bool poisonsMemory = false;
};

class Device : NoCopy {
 public:
  struct Impl;
  // Throws DeviceError, with the reasons, if there is no usable device.
  explicit Device(const DeviceOptions& options);
  // A program's own (given.h). Throws DeviceError if it was made with too little.
  explicit Device(const VulkanDevice& given);
  ~Device();

  const DeviceInfo& info() const;
  // The validation layers' messages so far, without the performance warnings.
  std::vector<std::string> validationMessages() const;
  size_t pipelineCount() const;  // made so far, for all executables together
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace lacuna::vk
