#include "tools/lacuna/device/ceilings.h"

#include "tools/lacuna/device/experiments.h"

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

DeviceCeilings deviceCeilings(DeviceBench& bench) {
  std::vector<DeviceChart> charts;
  for (const DeviceExperiment& experiment : deviceExperiments()) {
    if (experiment.isCeiling) {
      charts.push_back(keptOrMeasured(bench, experiment));
    }
  }
  return ceilingsOf(charts);
}

}  // namespace lacuna
