#pragma once
// The number of operations of one multiprocessor and of the whole device in a second, by a kernel that does
// nothing else.

#include "tools/bench/device/device_bench.h"

namespace lacuna {

struct ThroughputKernel {
  std::string name;
  std::string glsl;         // constant_id 0: threads of a workgroup; binding 2: steps
  KernelBuffer factors;     // at binding 1
  double operations = 0.0;  // of a warp in a step
  uint32_t warpsOfAll = 8;  // in each workgroup, if they fill the device
  uint64_t resultBytes = 8;
  std::optional<MatrixUse> matrices = {};
};

// One workgroup, which runs on one multiprocessor, by its number of warps: nanoseconds a step.
Curve timesByWarps(DeviceBench& bench, const ThroughputKernel& kernel);

struct Throughput {
  double onePerSecond = 0.0;     // operations of a multiprocessor, with the best number of warps
  double devicePerSecond = 0.0;  // all multiprocessors full
};
Throughput throughputOf(DeviceBench& bench, const ThroughputKernel& kernel, const Curve& byWarps);

}  // namespace lacuna
