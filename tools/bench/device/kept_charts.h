#pragma once
// Charts on disk, a file for each device, driver and benchmark: measured once, shown and used again.

#include <optional>
#include <string>

#include "graph/vk/device.h"
#include "tools/bench/device/chart.h"

namespace lacuna {

class KeptCharts {
 public:
  // `folder` as in ShaderCache; empty: nothing is kept.
  KeptCharts(std::string folder, const vk::DeviceInfo& device);

  std::optional<DeviceChart> read(const std::string& name) const;  // a damaged file is as good as none
  void write(const DeviceChart& chart) const;

 private:
  std::string keyOf(const std::string& name) const;
  std::string folder_;
  std::string device_;
};

}  // namespace lacuna
