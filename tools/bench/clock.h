#pragma once
// A GPU's clock. Vulkan doesn't state it, so the driver's own program is asked: nvidia-smi.

#include <optional>
#include <string>

namespace lacuna {

struct GpuClock {
  int now = 0, most = 0;  // MHz of the multiprocessors
};

// `uuid`: the device's, 32 hex digits. Nothing if no program knows this device.
std::optional<GpuClock> clockOf(const std::string& uuid);

}  // namespace lacuna
