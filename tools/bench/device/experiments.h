#pragma once
// The micro-benchmarks of a device, after Vannson 2023, sections 3.2 and 4.2.

#include <string>
#include <vector>

#include "tools/bench/device/device_bench.h"

namespace lacuna {

// Each throws vk::DeviceError where the device can't run it.
ResultTable measureClocks(DeviceBench& bench);
ResultTable measureCopy(DeviceBench& bench);
ResultTable measureLatency(DeviceBench& bench);
ResultTable measureBanks(DeviceBench& bench);
ResultTable measureDivergence(DeviceBench& bench);
ResultTable measureArithmetic(DeviceBench& bench);
ResultTable measureTensor(DeviceBench& bench);

struct DeviceExperiment {
  const char* name;
  ResultTable (*measure)(DeviceBench& bench);
};
const std::vector<DeviceExperiment>& deviceExperiments();  // in the order in which they run
std::vector<std::string> experimentNames();

// Measures one and keeps it in the cache; if the device refuses it, the table says so.
ResultTable measureTable(DeviceBench& bench, const DeviceExperiment& experiment);

}  // namespace lacuna
