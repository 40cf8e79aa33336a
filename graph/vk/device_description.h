#pragma once
// A device, for users who choose between several. Installed: lacuna.h includes it.

#include <cstdint>
#include <string>

namespace lacuna {

struct DeviceDescription {
  std::string name;
  std::string uuid;          // 32 hex digits
  std::string kind;          // discrete, integrated, virtual, cpu, other
  std::string driver;        // with its version: "NVIDIA 580.159.04", "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"
  std::string vulkan;        // "1.3.224"
  uint64_t memoryBytes = 0;  // in its own largest heap; for a CPU device: of the machine
  uint64_t allocationBytes = 0;  // the most at once
  int imageSide = 0;             // the most pixels along it
  std::string unusable;          // why Lacuna can't use it (a missing feature, by name); empty if it can
};

}  // namespace lacuna
