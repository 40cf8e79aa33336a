// The bilateral mean of a window: Larsson 2015, equations 2.8 and 2.9 (Tomasi and Manduchi 1998). A stencil
// that includes this has the tap fields `value` from its state and `edges` from a feature `guide`, which need
// not be connected, both with `bytes`, and the parameters `sigma_space` and `sigma_range`; DISTANCE is a choice
// (bilateral_types.glsl). We differ: the range weight is exp2 with the Gaussian's constants drawn into one
// factor.

#define CHANNELS channels_state
#define format_values format_initial
#include "shared/bilateral_types.glsl"

struct Centre {
  State own;
  GUIDE edges;
  float falloff;
};

struct Acc {
  COLOUR sum;
  WEIGHT weight;
};

// Equation 2.4, without its factor, which cancels.
float weight(int steps) {
  float falloff = -0.72134752 / (param.sigma_space * param.sigma_space);  // -log2(e) / 2
  return exp2(float(steps * steps) * falloff);
}

// 8-bit integers come as they are, 0 to 255.
#if format_state == format_u8
const float ofByte = 1.0 / 255.0;
#else
const float ofByte = 1.0;
#endif

COLOUR colourOf(State v) {
  COLOUR colour;
  take(v, colour);
#if format_state == format_u8
  return colour;
#else
  return colour * unit;
#endif
}

GUIDE edgesOf(Tap t) {
#if channels_guide == 0
  return colourOf(t.value);
#else
  GUIDE edges;
  take(t.edges, edges);
  return edges * (format_guide == format_u16 ? 255.0 : 1.0);
#endif
}

Centre centre(Tap t, Pixel p) {
  float sigma = param.sigma_range * edgeUnit;
  return Centre(t.value, edgesOf(t), -0.72134752 / (sigma * sigma));
}

Acc start(Centre c) { return Acc(COLOUR(0.0), WEIGHT(0.0)); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  WEIGHT w = o.weight * exp2(squaredDistance(edgesOf(t) - c.edges) * c.falloff);
  a.sum = fma(COLOUR(w), colourOf(t.value), a.sum);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) {
  State mean;
  place(a.sum * (1.0 / a.weight) * (1.0 / unit), c.own * ofByte, mean);
  return mean;
}
