#pragma once
// Tables on disk, a file for each device, driver and benchmark: measured once, shown and used again; and the
// device's limits in them, as ceilings for other benchmarks.

#include <functional>
#include <optional>
#include <string>

#include "graph/vk/device_description.h"
#include "tools/timing/result_table.h"

namespace lacuna {

class KeptTables {
 public:
  explicit KeptTables(const DeviceDescription& device);

  std::optional<ResultTable> read(const std::string& name) const;  // a damaged file counts as missing
  void write(const ResultTable& table) const;

 private:
  std::string keyOf(const std::string& name) const;
  std::string device_;
};

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
