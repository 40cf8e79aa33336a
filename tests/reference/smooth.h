#pragma once
// box and gaussian as in Larsson 2015 (equations 2.1 to 2.7), in double precision: every pixel is one sum
// over the whole square.

#include <functional>

#include "tests/reference/border.h"
#include "tests/reference/reference.h"

namespace lacuna::test {

using SquareWeight = std::function<double(int dx, int dy)>;

struct Smoothed {
  Picture mean;
  Picture size;  // the mean of absolute values, to which rounding errors are proportional; 0 where a value
                 // stays unchanged
};

// In four components the last one is alpha, and is unchanged.
Smoothed smoothed(const Picture& input, int radius, Border border, const SquareWeight& weight);

// The same several times, each time on the result before.
Smoothed smoothedAgain(const Picture& input, int radius, Border border, const SquareWeight& weight,
                       int iterations);

double boxWeight(int dx, int dy);           // equation 2.3, before its factor
SquareWeight gaussianWeight(double sigma);  // equation 2.5

}  // namespace lacuna::test
