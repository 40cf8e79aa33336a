// Weights in half precision, sums in float: two halves go through the same units at once.

#define OWN_TAP_WEIGHT
#include "bilateral.glsl"
#include "register_rows.glsl"

#if DISTANCE == 0 && SAME_CHANNELS && channels_input > 2
#define HALF f16vec3
#elif DISTANCE == 0 && SAME_CHANNELS && channels_input == 2
#define HALF f16vec2
#else
#define HALF float16_t
#endif

// The difference is scaled before it is rounded and squared: in levels its square would not fit.
WEIGHT tapWeight(GUIDE d, float spatial, float falloff) {
  float scale = sqrt(-falloff);
#if DISTANCE == 0 && SAME_CHANNELS
  HALF scaled = HALF(d * scale);
#elif DISTANCE == 3
  HALF scaled = HALF(summed(d) * scale);
#else
  HALF scaled = HALF(sqrt(squared(d)) * scale);
#endif
  return WEIGHT(exp2(-(scaled * scaled)) * HALF(spatial));
}

void run(Pixel p) { filterRows(p); }
