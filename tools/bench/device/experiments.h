#pragma once
// The micro-benchmarks of a device, after Vannson 2023, sections 3.2 and 4.2.

#include <string>
#include <vector>

#include "tools/bench/device/device_bench.h"

namespace lacuna {

// Each throws vk::DeviceError where the device can't run it.
DeviceChart measureClocks(DeviceBench& bench);
DeviceChart measureCopy(DeviceBench& bench);
DeviceChart measureLatency(DeviceBench& bench);
DeviceChart measureBanks(DeviceBench& bench);
DeviceChart measureDivergence(DeviceBench& bench);
DeviceChart measureArithmetic(DeviceBench& bench);
DeviceChart measureTensor(DeviceBench& bench);

struct DeviceExperiment {
  const char* name;
  DeviceChart (*measure)(DeviceBench& bench);
  bool isCeiling = false;  // has figures for ceilings.h
};
const std::vector<DeviceExperiment>& deviceExperiments();  // in the order in which they run
std::vector<std::string> experimentNames();

// Measures one and keeps it in the cache; what the device refuses is said in the chart.
DeviceChart measureChart(DeviceBench& bench, const DeviceExperiment& experiment);
// As it was kept of this device and driver; measured where it was not.
DeviceChart keptOrMeasured(DeviceBench& bench, const DeviceExperiment& experiment);

}  // namespace lacuna
