#pragma once
// The device's limits, as ceilings for other benchmarks.

#include <functional>
#include <optional>

#include "graph/vk/device_description.h"
#include "tools/timing/result_table.h"

namespace lacuna {

// 0: not known. A multiply-add counts as two operations.
struct DeviceCeilings {
  double copyBytesPerSecond = 0.0;  // read and written
  double f32PerSecond = 0.0;        // without tensor cores
  double tensorF32PerSecond = 0.0;  // products of halves, summed in f32
  double tensorF16PerSecond = 0.0;  // summed in f16
};

// Read from the benchmarks' tables by name, if they exist.
DeviceCeilings ceilingsOf(const std::function<std::optional<ResultTable>(const std::string& name)>& table);

// The kept results of `lacuna bench device` on this device and driver.
DeviceCeilings keptCeilings(const DeviceDescription& device);

Json toJson(const DeviceCeilings& ceilings);

}  // namespace lacuna
