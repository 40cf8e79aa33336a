// A pixel's bilateral mean, tap by tap: Larsson 2015, equations 2.8 and 2.9 (Tomasi and Manduchi 1998). A
// kernel that includes this has, beside what bilateral_taps.glsl needs, an image `output` like the input, and
// a parameter `sigma_range`. We differ: the range weight is exp2 with the Gaussian's constants combined into
// one factor.

#include "shared/bilateral_taps.glsl"

struct Acc {
  COLOUR sum;
  WEIGHT weight;
};

Acc start() { return Acc(COLOUR(0.0), WEIGHT(0.0)); }

float falloff() {
  float sigma = param.sigma_range * edgeUnit;
  return -0.72134752 / (sigma * sigma);  // -log2(e) / 2
}

WEIGHT gaussianOf(GUIDE d, float falloff) { return exp2(squaredDistance(d) * falloff); }

// Variants may compute it differently, and define OWN_TAP_WEIGHT and this function.
WEIGHT tapWeight(GUIDE d, float spatial, float falloff);
#ifndef OWN_TAP_WEIGHT
WEIGHT tapWeight(GUIDE d, float spatial, float falloff) { return spatial * gaussianOf(d, falloff); }
#endif

void gather(inout Acc a, GUIDE centre, Tap t, float spatial, float falloff) {
  WEIGHT w = tapWeight(edgesOf(t) - centre, spatial, falloff);
  a.sum = fma(COLOUR(w), t.colour, a.sum);
  a.weight += w;
}

// The input is that of this iteration; its alpha comes from the pixel itself.
void finish(Acc a, ivec2 at) {
  Inputs i;
  i.input = decode_input(raw_input(at));
  place(a.sum * (1.0 / a.weight) * (1.0 / unit), i.input, i.input);
  store_output(at, i.input);
}
