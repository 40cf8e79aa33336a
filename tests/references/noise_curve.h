#pragma once
// Noise by signal, sd(x) = noise * ((x + offset) / (1 + offset))^power, in double precision: how eaw
// estimates it, and the transform that gives it one standard deviation.

#include <cmath>

#include "tests/references/picture.h"

namespace lacuna::test {

struct NoiseCurve {
  double noise = 0.0;  // at the value 1
  double power = 0.0;
  double offset = 0.001;
  double clipped = 0.0;  // 1: values below zero were cut off

  double at(double x) const { return noise * std::pow((x + offset) / (1.0 + offset), power); }
};

// The curve through the median residuals by brightness, of at most 2048 blocks of 32x12 pixels. Pixels take
// red, green and blue in turn. Bounded: values were cut off below 0 and above 1.
NoiseCurve estimatedCurve(const Picture& input, bool isBounded = false);

// The integral of noise / sd(x), odd, and its inverse.
double stabilised(const NoiseCurve& curve, double x);
double restored(const NoiseCurve& curve, double v);

// The mean whose noise, clipped at zero, has the mean v, by bisection; stabilised, as v.
double unclipped(const NoiseCurve& curve, double v);
// The same for noise clipped at the values 0 and 1, the nearest of them for a v that no mean has.
double unclippedBetween(const NoiseCurve& curve, double v);

}  // namespace lacuna::test
