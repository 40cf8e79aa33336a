#pragma once

#include <array>
#include <cstdint>

namespace lacuna {

// The implementation of shared/matrix.glsl: Vulkan's extension, NVIDIA's older one, or plain arithmetic.
enum class MatrixKind { emulated, nv, khr };

// The properties of a device that the compile stages use. The defaults are limits that every device meets.
struct DeviceModel {
  bool cpu = true;
  uint64_t maxStorageBufferRange = 128ULL << 20U;
  uint32_t maxImageSize = 16384;
  uint32_t maxSharedMemory = 16384;
  uint32_t maxWorkgroupInvocations = 256;
  bool subgroupVote = false;
  uint32_t shuffledLanes = 0;  // invocations of a subgroup, if they shuffle values
  // Its compiler's memory grows with the square of a loop's contents: SwiftShader 24 GB for a hundred taps of
  // atrous-guided, .5 GB for the same without a loop.
  bool smallLoops = false;
  bool float16 = false;    // arithmetic in half precision
  bool storage16 = false;  // shaders read and write storage buffers by 16 bits
  MatrixKind matrices = MatrixKind::emulated;
  bool eightOfMatrix = false;      // an invocation holds eight numbers of a matrix of 256, each once
  bool workgroupMatrices = false;  // VK_NV_cooperative_matrix2
  bool bufferAddresses = false;    // shaders reach buffers by their address, whatever their size
  std::array<uint32_t, 3> maxWorkgroups{65535, 65535, 65535};
  std::array<uint32_t, 3> maxBindings{16, 16, 8};  // a shader: storage buffers, sampled and storage images
  uint64_t maxAllocation = 1ULL << 30U;            // bytes of one resource
  double bandwidth = 0.0;  // bytes a second that a copy reads and writes; 0: not measured
};

}  // namespace lacuna
