#pragma once
// The text of the kernel that keeps tensor cores busy, tools/bench/device/tensor.glsl.

#include <string>
#include <vector>

#include "graph/frame/schedule.h"

namespace lacuna {

struct TensorKernel {
  const char* name;  // of its series
  bool sumsInHalves = false;
  int sums = 1;  // that don't wait for each other; a power of two up to 32
};

// `folder`: where the kernel lies; `modules`: where shared/matrix.glsl does. Throws ShaderSourceError where
// one is missing.
std::string tensorShader(const TensorKernel& kernel, const MatrixUse& use, const std::string& folder,
                         const std::vector<std::string>& modules);

}  // namespace lacuna
