#include "tools/bench/gemm/study.h"

#include <algorithm>

namespace lacuna {

const std::vector<GemmStudyKernel>& gemmStudyKernels() {
  static const std::vector<GemmStudyKernel> all = {
      {"naive", 0.17, false}, {"shared", 0.81, false}, {"coopmat", 8.6, false}, {"tiled", 34.0, true}};
  return all;
}

const GemmStudyKernel* gemmStudyKernel(std::string_view variant) {
  const auto& all = gemmStudyKernels();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const GemmStudyKernel& kernel) { return kernel.variant == variant; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace lacuna
