#pragma once
// À-trous levels guided by normals, depth and variance, in double precision: Schied et al. 2017, sections 4.3
// and 4.4, with a slope in proportion to the depth and without the blur of the variance (Dolp et al. 2024,
// section 4.2).

#include "tests/references/picture.h"

namespace lacuna::test {

struct GuidedParameters {
  int levels = 5;
  double sigmaLuminance = 4.0;
  double sigmaNormal = 128.0;
  double sigmaDepth = 0.02;
  Format precision = Format::f32;

  std::string text() const;  // `param` lines for atrous-guided:01
};

struct GuidedInput {
  Picture colour;  // rgba
  Picture normal;
  Picture depth;
};

// A normal as two signed 16-bit octahedral coordinates; `out` in [-32767, 32767], not rounded yet.
void octahedral(const double* normal, double out[2]);

Picture guided(const GuidedInput& input, const GuidedParameters& parameters);

}  // namespace lacuna::test
