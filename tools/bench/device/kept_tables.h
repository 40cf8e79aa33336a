#pragma once
// Tables on disk, a file for each device, driver and benchmark: measured once, shown and used again.

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

}  // namespace lacuna
