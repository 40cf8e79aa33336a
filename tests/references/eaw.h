#pragma once
// Edge-avoiding à-trous wavelets in double precision: Dammertz et al. 2010, section 3; Hanika et al. 2011,
// section 3.

#include <array>
#include <vector>

#include "tests/references/level_noise.h"

namespace lacuna::test {

struct EawParameters {
  int levels = 5;
  NoiseCurve curve;       // noise 0: estimated; power 0: equal everywhere
  LevelNoise levelNoise;  // used if noise is stabilised
  std::array<double, 8> edges{};
  std::array<double, 8> thresholds{};
  std::array<double, 8> gains{};
  Format precision = Format::f32;
  bool bounded = false;  // values below 0 and above 1 were cut off

  bool isStabilised() const { return curve.power != 0.0 || bounded; }
  std::string text() const;  // `param` lines for eaw:01
};

// c_0 to c_levels, each rounded to the precision. c_0 is the image, or what stabilises its noise, as
// brightness and two opponent colours.
std::vector<Picture> eawLevels(const Picture& input, const EawParameters& parameters);

// The last level, and all details after thresholding.
Picture eawSynthesis(const std::vector<Picture>& levels, const EawParameters& parameters);

// The image that a sum of levels represents.
Picture eawOutput(const Picture& sum, const EawParameters& parameters);

}  // namespace lacuna::test
