#include "atrous-guided/weights.glsl"
#include "packed.glsl"

struct Centre {
  vec4 geometry;
  vec2 material;
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
  t.geometry = unpackGeometry(s.geometry);
  t.material = unpackMaterial(s.geometry, s.material);
}

Centre centre(Tap t, Pixel p) {
  float deviation = sqrt(max(t.colour.a, 0.0));
  return Centre(t.geometry, t.material, luminance(t.colour.rgb),
                1.44269504 / fma(param.sigma_luminance, deviation, 1e-4),
                depthFalloff(t.geometry.w, p.dilation));
}

Acc start(Centre c) { return Acc(vec3(0.0), 0.0, 0.0); }

void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float e = log2GeometryWeight(c.geometry, c.depthFalloff, t.geometry, o);
  e = fma(-abs(luminance(t.colour.rgb) - c.luminance), c.luminanceFalloff, e);
  e -= abs(t.material.x - c.material.x) + abs(t.material.y - c.material.y);
  float w = exp2(e);
  a.colour = fma(vec3(w), t.colour.rgb, a.colour);
  a.weight += w;
  a.variance = fma(w * w, t.colour.a, a.variance);
}

State finish(Acc a, Centre c, Pixel p) {
  float r = 1.0 / a.weight;
  return vec4(a.colour * r, a.variance * r * r);
}
