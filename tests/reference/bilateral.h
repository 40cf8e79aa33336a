#pragma once
// The bilateral filter of Larsson 2015 (equations 2.8 and 2.9), one pixel after the other in double
// precision.

#include "tests/reference/border.h"
#include "tests/reference/reference.h"

namespace lacuna::test {

enum class Distance { perChannel, rgb, lab, opencv };
inline const char* const distanceNames[] = {"per-channel", "rgb", "lab", "opencv"};

struct Bilateral {
  int radius = 5;
  double sigmaSpace = 3.0;
  double sigmaRange = 30.0;  // 8-bit levels, of which a float's 1 has 255; Lab's own units
  Distance distance = Distance::perChannel;
  Border border = Border::reflect101;
  int iterations = 1;
};

// Stored pictures, so integers from 0 to 1; `guide` may be the input itself, and then follows the
// iterations.
struct Stored {
  Picture picture;
  ValueType type;
};

// In four components the last one is alpha, and is unchanged.
Picture bilateral(const Bilateral& filter, const Stored& input, const Stored* guide);

// Pham and van Vliet 2005, as in section 4.1 of Larsson 2015: rows, then columns of the result. Once, per
// channel or rgb.
Picture bilateralSeparable(const Bilateral& filter, const Stored& input, const Stored* guide);

}  // namespace lacuna::test
