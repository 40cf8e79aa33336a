#include "shared/mean.glsl"

int reach() { return param.radius > 0 ? param.radius : clamp(int(ceil(3.0 * param.sigma)), 1, 31); }

// Larsson 2015, equation 2.4, without its constant factor: the sum of weights is divided out (equation 2.7).
float weight(int steps) {
  float d = float(steps) / param.sigma;
  return exp2(-0.72134752 * d * d);  // exp(-d^2 / 2)
}
