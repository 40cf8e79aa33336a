#pragma once
// Common parts of the micro-benchmarks: the device, and the measurement of a step's time.

#include <string>
#include <vector>

#include "tools/bench/device/curve.h"
#include "tools/bench/device/kernel.h"
#include "tools/bench/lab.h"

namespace lacuna {

class DeviceBench {
 public:
  explicit DeviceBench(Lab& lab) : lab_(lab) {}

  vk::Device& device() const { return lab_.device; }
  const vk::DeviceInfo& info() const { return lab_.device.info(); }
  const std::vector<std::string>& modules() const { return lab_.modules; }

  // The measured points of a curve: all, or (--quick) every fourth and the
  // last.
  std::vector<double> chosen(const std::vector<double>& all) const;

  // Nanoseconds of each of `count` more steps, without constant costs: the difference of medians of runs with
  // n and 2 n steps.
  double nsPerStep(TimedKernel& kernel, uint32_t leastSteps = 1);
  // Heats up again before the next point.
  void beginTable() { isWarm_ = false; }

 private:
  Lab& lab_;
  bool isWarm_ = false;
};

// The text of a shader that comes with the program, tools/bench/device/NAME.glsl. Throws FileError.
std::string benchShader(const std::string& name);

}  // namespace lacuna
