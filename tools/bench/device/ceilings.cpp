#include "tools/bench/device/ceilings.h"

#include "graph/shader/compile.h"
#include "tools/bench/device/experiments.h"
#include "tools/bench/device/kept_charts.h"

namespace lacuna {

DeviceCeilings ceilingsOf(const std::vector<DeviceChart>& charts) {
  DeviceCeilings ceilings;
  for (const DeviceChart& chart : charts) {
    if (chart.name == "copy") {
      ceilings.copyBytesPerSecond = chart.figure("copy");
    } else if (chart.name == "arithmetic") {
      ceilings.f32PerSecond = chart.figure("all of them");
    } else if (chart.name == "tensor") {
      ceilings.tensorF32PerSecond = chart.figure("f32 sums, all of them");
      ceilings.tensorF16PerSecond = chart.figure("f16 sums, all of them");
    }
  }
  return ceilings;
}

DeviceCeilings keptCeilings(const vk::DeviceInfo& device) {
  const KeptCharts kept(ShaderCache::defaultFolder(), device);
  std::vector<DeviceChart> charts;
  for (const DeviceExperiment& experiment : deviceExperiments()) {
    if (auto chart = experiment.isCeiling ? kept.read(experiment.name) : std::nullopt) {
      charts.push_back(std::move(*chart));
    }
  }
  return ceilingsOf(charts);
}

}  // namespace lacuna
