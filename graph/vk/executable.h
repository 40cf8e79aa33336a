#pragma once
// A Schedule on a device: memory bound, pipelines made, commands recorded, ready to run frame after frame.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "graph/compile/schedule.h"
#include "graph/vk/device.h"

namespace lacuna::vk {

using Spirv = std::vector<uint32_t>;

struct Frame {
  int index = 0;
  bool first = true;
  // Writes the parameter block of a pass (Pass::blockBytes long, zeroed before).
  std::function<void(int pass, std::span<std::byte> block)> fillBlock;
};

struct Timings {
  std::vector<double> passMs;  // a pass each, from timestamps
  double totalMs = 0.0;        // from the first pass's start to the last one's end
};

// Pipelines are kept by the device and shared between executables: the same SPIR-V and constants once.
class Executable {
 public:
  // `spirv`: one a pass, empty for passes that are no dispatch; shared_ptr since levels share theirs.
  // Plans the arena anew with the device's own sizes and alignments. Throws DeviceError.
  Executable(Device& device, Schedule schedule, std::vector<std::shared_ptr<const Spirv>> spirv);
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  // Host memory of an upload or download pass; pixels in rows without padding, words as
  // module/image_type.h says. Filled before run(), read after it.
  std::span<std::byte> uploadMemory(int pass);
  std::span<const std::byte> downloadMemory(int pass);

  void run(const Frame& frame);                    // submits and waits
  Timings time(const Frame& frame, bool perPass);  // the same with timestamps
  const Schedule& schedule() const;                // with the placements in use

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lacuna::vk
