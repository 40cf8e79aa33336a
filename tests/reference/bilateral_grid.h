#pragma once
// The bilateral grid (Chen, Paris, Durand 2007) as modules/bilateral-grid/README.md defines it, in double
// precision.

#include "tests/reference/bilateral.h"

namespace lacuna::test {

struct BilateralGrid {
  double sigmaSpace = 8.0;  // pixels
  double sigmaRange = 30.0;
  // Else each channel by itself, if guide and input have the same number of channels.
  bool byLuminance = false;
  int cell = 4;  // pixels
  int levels = 16;
  double black = 0.0;
  double white = 1.0;
};

// In four components the last one is alpha, and is unchanged; so are pixels that are not finite.
Picture bilateralGrid(const BilateralGrid& filter, const Stored& input, const Stored* guide);

}  // namespace lacuna::test
