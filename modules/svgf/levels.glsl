// The levels (Schied et al. 2017, sections 4.3 and 4.4). A state is colour and the standard deviation of its
// luminance: in half floats that has twice the range of a variance. As in Dolp et al. 2024 (section 4.2) it
// isn't blurred inside the levels.
#include "shared/colour.glsl"
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

void load(inout Tap t, Sample s) {
  Surface surface = unpackSurface(s.geometry);
  t.geometry = vec4(surface.normal, surface.depth);
  t.slope = surface.slope;
}

Centre centre(Tap t, Pixel p) {
  float l = luminanceOf(t.colour.rgb, colour_state);
  float allowed = fma(param.sigma_luminance, t.colour.a, fma(0.001, abs(l), 1e-6));
  return Centre(t.geometry, l, log2e / allowed, depthFalloff(t.slope, p.dilation));
}

Acc start(Centre c) { return Acc(vec3(0.0), 0.0, 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float e = log2GeometryWeight(c.geometry, c.depthFalloff, t.geometry, o.steps, o.log2Weight);
  e = fma(-abs(luminanceOf(t.colour.rgb, colour_state) - c.luminance), c.luminanceFalloff, e);
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
