#include "tools/bench/device/ceilings.h"

#include "tools/bench/device/kept_tables.h"

namespace lacuna {

DeviceCeilings ceilingsOf(const std::function<std::optional<ResultTable>(const std::string& name)>& table) {
  const auto figure = [&](const char* name, const char* figureName) {
    const auto found = table(name);
    return found ? found->figure(figureName) : 0.0;
  };
  return {figure("copy", "copy"), figure("arithmetic", "all of them"),
          figure("tensor", "f32 sums, all of them"), figure("tensor", "f16 sums, all of them")};
}

DeviceCeilings keptCeilings(const DeviceDescription& device) {
  return ceilingsOf([&](const std::string& name) { return KeptTables(device).read(name); });
}

Json toJson(const DeviceCeilings& ceilings) {
  return {{"copyBytesPerSecond", ceilings.copyBytesPerSecond},
          {"f32PerSecond", ceilings.f32PerSecond},
          {"tensorF32PerSecond", ceilings.tensorF32PerSecond},
          {"tensorF16PerSecond", ceilings.tensorF16PerSecond}};
}

}  // namespace lacuna
