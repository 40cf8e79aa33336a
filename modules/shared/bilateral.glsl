// A pixel's bilateral mean, tap by tap: Larsson 2015, equations 2.8 and 2.9 (Tomasi and Manduchi 1998). A kernel that includes
// this has, beside what bilateral_taps.glsl needs, an image `output` like the input, and a parameter `sigma_range`;
// DISTANCE is a choice of
//   0 per-channel, each alone; 1 rgb, Euclidean; 2 lab, likewise; 3 opencv, the sum of absolute differences
// We differ: the range weight is exp2 with the Gaussian's constants drawn into one factor.

#include "shared/bilateral_taps.glsl"

struct Acc {
  COLOUR sum;
  WEIGHT weight;
};

Acc start() { return Acc(COLOUR(0.0), WEIGHT(0.0)); }

// sigma_range is in 8-bit levels, of which white has 255, and where edges are looked for in Lab in its units.
#if format_edges <= format_u16 || DISTANCE == 2
const float edgeUnit = 1.0;
#else
const float edgeUnit = 1.0 / 255.0;
#endif

float falloff() {
  float sigma = param.sigma_range * edgeUnit;
  return -0.72134752 / (sigma * sigma);  // -log2(e) / 2
}

float squared(float d) { return d * d; }
float squared(vec2 d) { return fma(d.x, d.x, d.y * d.y); }
float squared(vec3 d) { return fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)); }
float summed(float d) { return abs(d); }
float summed(vec2 d) { return abs(d.x) + abs(d.y); }
float summed(vec3 d) { return abs(d.x) + abs(d.y) + abs(d.z); }

// The squared difference that the range Gaussian is of.
WEIGHT squaredDistance(GUIDE d) {
#if DISTANCE == 0 && SAME_CHANNELS
  return d * d;
#elif DISTANCE == 3
  return WEIGHT(squared(summed(d)));
#else
  return WEIGHT(squared(d));
#endif
}

WEIGHT gaussianOf(GUIDE d, float falloff) { return exp2(squaredDistance(d) * falloff); }

// Variants may come by it in another way, and define OWN_TAP_WEIGHT and this function.
WEIGHT tapWeight(GUIDE d, float spatial, float falloff);
#ifndef OWN_TAP_WEIGHT
WEIGHT tapWeight(GUIDE d, float spatial, float falloff) { return spatial * gaussianOf(d, falloff); }
#endif

void gather(inout Acc a, GUIDE centre, Tap t, float spatial, float falloff) {
  WEIGHT w = tapWeight(edgesOf(t) - centre, spatial, falloff);
  a.sum = fma(COLOUR(w), t.colour, a.sum);
  a.weight += w;
}

// The input is there as often as the filter is applied; its alpha comes from the pixel itself.
void place(vec3 v, vec4 old, out vec4 pixel) { pixel = vec4(v, old.a); }
void place(vec3 v, vec3 old, out vec3 pixel) { pixel = v; }
void place(vec2 v, vec2 old, out vec2 pixel) { pixel = v; }
void place(float v, float old, out float pixel) { pixel = v; }

void finish(Acc a, ivec2 at) {
  Inputs i;
  i.input = decode_input(raw_input(at));
  place(a.sum * (1.0 / a.weight) * (1.0 / unit), i.input, i.input);
  store_output(at, i.input);
}
