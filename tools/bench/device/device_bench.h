#pragma once
// What the micro-benchmarks share: the device, and how a step's time is found.

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

  // Of the points that a curve would have, those that are measured: all, or (--quick) every fourth and the
  // last.
  std::vector<double> chosen(const std::vector<double>& all) const;

  // Nanoseconds that one of `count` more steps takes, all else left out: the difference of medians of runs
  // with as many steps as take a while, and twice as many.
  double nsPerStep(TimedKernel& kernel, uint32_t leastSteps = 1);
  // Heats from scratch before the next point.
  void beginTable() { isWarm_ = false; }

 private:
  Lab& lab_;
  bool isWarm_ = false;
};

// The text of a shader that comes with the program, tools/bench/device/NAME.glsl. Throws FileError.
std::string benchShader(const std::string& name);

}  // namespace lacuna
