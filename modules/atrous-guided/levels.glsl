#include "weights.glsl"

struct Centre {
  vec4 geometry;
  float luminance;
  float luminanceFalloff;
  float depthFalloff;
};

struct Acc {
  vec3 colour;
  float weight;
  float variance;
};

void load(inout Tap t, Sample s) { t.geometry = decodeGeometry(s.geometry); }

Centre centre(Tap t, Pixel p) {
  return Centre(t.geometry, luminance(t.colour.rgb), 1.44269504 / fma(param.sigma_luminance, t.colour.a, 1e-4),
                depthFalloff(t.geometry.w, p.dilation));
}

Acc start(Centre c) { return Acc(vec3(0.0), 0.0, 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float e = log2GeometryWeight(c.geometry, c.depthFalloff, t.geometry, o);
  e = fma(-abs(luminance(t.colour.rgb) - c.luminance), c.luminanceFalloff, e);
  float w = exp2(e);
  a.colour = fma(vec3(w), t.colour.rgb, a.colour);
  a.weight += w;
  float deviation = w * t.colour.a;
  a.variance = fma(deviation, deviation, a.variance);
}

State finish(Acc a, Centre c, Pixel p) {
  float r = 1.0 / a.weight;
  return vec4(a.colour * r, sqrt(a.variance) * r);
}
