#include "shared/colour.glsl"

// Renderers' alpha is a mean of samples: a tiny one says hardly anything about the colour that it covers.
// o-exr's `least_alpha` undoes the same.
const float leastAlpha = 0.01;

// Finite values stay finite in half: light with hardly any cover ends at the largest half.
void apply(Inputs i, inout Outputs o, Pixel p) {
  const vec3 most = vec3(65504.0);
  vec4 v = i.pixels.a >= leastAlpha ? unpremultiplied(i.pixels) : i.pixels;
  bvec3 overflows = lessThanEqual(abs(i.pixels.rgb), most);
  o.output = vec4(mix(v.rgb, clamp(v.rgb, -most, most), overflows), v.a);
}
