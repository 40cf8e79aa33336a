#pragma once
// Edge-avoiding à-trous wavelets in double precision: Dammertz et al. 2010, section 3; Hanika et al. 2011,
// section 3.

#include <array>
#include <vector>

#include "tests/reference/reference.h"

namespace lacuna::test {

struct EawParameters {
  int levels = 5;
  double noise = 0.0;  // 0: estimated
  std::array<double, 8> edges{};
  std::array<double, 8> thresholds{};
  std::array<double, 8> gains{};
  Format precision = Format::f32;

  std::string text() const;  // `param` lines for eaw:01
};

// The noise that the module estimates: the median of luminance residuals, from its histogram. `scale` is
// applied to the residuals, to see whether rounding can move them into other bins.
double estimatedNoise(const Picture& input, Format precision, double scale = 1.0);

// c_0 to c_levels, each rounded to the precision.
std::vector<Picture> eawLevels(const Picture& input, const EawParameters& parameters, double noise);

// The last level and what the thresholds leave of all details.
Picture eawSynthesis(const std::vector<Picture>& levels, const EawParameters& parameters, double noise);

}  // namespace lacuna::test
