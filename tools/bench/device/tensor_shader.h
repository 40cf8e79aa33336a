#pragma once
// The text of the kernel that keeps tensor cores busy, tools/bench/device/tensor.glsl.

#include <string>
#include <vector>

namespace lacuna {

struct MatrixUse;

struct TensorKernel {
  const char* name;  // of its series
  bool sumsInHalves = false;
  int sums = 1;  // number of independent sums; a power of two up to 32
};

// `folder`: the kernel's; `modules`: that of shared/matrix.glsl. Throws ShaderSourceError if one is
// missing.
std::string tensorShader(const TensorKernel& kernel, const MatrixUse& use, const std::string& folder,
                         const std::vector<std::string>& modules);

}  // namespace lacuna
