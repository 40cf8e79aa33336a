#pragma once
// What the micro-benchmarks share: the device, how long to measure, and how a step's time is found.

#include <string>
#include <vector>

#include "tools/bench/device/chart.h"
#include "tools/bench/device/kernel.h"

namespace lacuna {

struct DeviceEffort {
  int runs = 20;             // timed runs of a point at most,
  double seconds = 3.0;      // none after these, but for the first few
  double preheatMs = 200.0;  // before a chart's first point; a twentieth of it before the others
  bool quick = false;        // every fourth point
};

class DeviceBench {
 public:
  DeviceBench(vk::Device& device, const DeviceEffort& effort, std::vector<std::string> modules);

  vk::Device& device() const { return device_; }
  const vk::DeviceInfo& info() const { return device_.info(); }
  const std::vector<std::string>& modules() const { return modules_; }

  // Of the points that a chart would have, those that are measured: the last one always.
  std::vector<double> chosen(const std::vector<double>& all) const;

  // Nanoseconds that one of `count` more steps takes, all else left out: the difference of medians of runs
  // with as many steps as take a while, and twice as many.
  double nsPerStep(TimedKernel& kernel, uint32_t leastSteps = 1);
  // Heats from scratch before the next point.
  void beginChart() { isWarm_ = false; }

 private:
  vk::Device& device_;
  DeviceEffort effort_;
  std::vector<std::string> modules_;
  bool isWarm_ = false;
};

// The text of a shader that comes with the program, tools/bench/device/NAME.glsl. Throws FileError.
std::string benchShader(const std::string& name);
std::string benchShaderFolder();

}  // namespace lacuna
