// Variance of luminance over 7x7 pixels of the same surface, if no history provides it (Schied et al. 2017,
// section 4.2). The result is the pixel's colour with the standard deviation in place of alpha: in half floats that has
// twice the range of a variance. Moments are taken about
// the pixel's own luminance: about zero, those of a nearly even surface would cancel to rounding errors.
#include "weights.glsl"

struct Centre {
  vec3 colour;
  float luminance;
  vec4 geometry;
  float depthFalloff;
};

struct Acc {
  float sum;
  float squares;
  float weight;
};

void load(inout Tap t, Sample s) { t.geometry = decodeGeometry(s.geometry); }

Centre centre(Tap t, Pixel p) {
  return Centre(t.colour.rgb, luminance(t.colour.rgb), t.geometry, depthFalloff(t.geometry.w, p.dilation));
}

Acc start(Centre c) { return Acc(0.0, 0.0, 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float w = exp2(log2GeometryWeight(c.geometry, c.depthFalloff, t.geometry, o));
  float d = luminance(t.colour.rgb) - c.luminance;
  a.sum = fma(w, d, a.sum);
  a.squares = fma(w * d, d, a.squares);
  a.weight += w;
}

State finish(Acc a, Centre c, Pixel p) {
  float r = 1.0 / a.weight;
  float mean = a.sum * r;
  return vec4(c.colour, sqrt(max(fma(-mean, mean, a.squares * r), 0.0)));
}
