#pragma once
// What no kernel can beat on a device, for other benchmarks to hold theirs against.

#include <functional>
#include <optional>

#include "graph/vk/device.h"
#include "tools/timing/result_table.h"

namespace lacuna {

// 0: not known. A multiply-add counts as two operations.
struct DeviceCeilings {
  double copyBytesPerSecond = 0.0;  // read and written
  double f32PerSecond = 0.0;        // without tensor cores
  double tensorF32PerSecond = 0.0;  // products of halves, summed in f32
  double tensorF16PerSecond = 0.0;  // summed in f16
};

// Of the benchmarks' tables by their names, where there are some.
DeviceCeilings ceilingsOf(const std::function<std::optional<ResultTable>(const std::string& name)>& table);

// What `lacuna bench device` found on this device and driver, as it was kept.
DeviceCeilings keptCeilings(const vk::DeviceInfo& device);

Json toJson(const DeviceCeilings& ceilings);

}  // namespace lacuna
