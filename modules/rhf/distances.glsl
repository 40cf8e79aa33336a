// The distance of two pixels, or of the patches around them.

#include "histogram.glsl"

const float farAway = 3e38;

// The value that is compared with the threshold, for `terms` compared bins. At the finest scale pixels
// without samples count as similar; at coarser ones, or if k is 0, they don't.
float distanceOf(float sum, float terms) {
  if (isFinest) { return sum / (terms + 1e-4); }
  return sum < param.threshold * terms ? -1.0 : farAway;
}
