// Both Gaussians in one exp2, whose exponent starts from the spatial one's logarithm: a multiplication a tap
// less.

#define OWN_TAP_WEIGHT
#define FUSED_EXPONENT
#include "bilateral.glsl"
#include "register_rows.glsl"

WEIGHT tapWeight(GUIDE d, float spatial, float falloff) {
  return exp2(fma(squaredDistance(d), WEIGHT(falloff), WEIGHT(spatial)));
}

void run(Pixel p) { filterRows(p); }
