#include "shared/colour.glsl"
#include "axis.glsl"

vec4 texel(ivec2 at) { return asColour(load_input(at)); }

// A filter with negative weights may leave alpha below 0 or above 1.
vec4 covered(vec4 v) { return vec4(v.rgb, v.a < 0.0 ? 0.0 : v.a > 1.0 ? 1.0 : v.a); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Axis axis = axisAt(p.position.y, extent_input.y, p.extent.y);
  Inputs i;
  narrow(covered(filtered(p.position, ivec2(0, 1), axis, extent_input.y)), i.input);
  store_output(p.position, i.input);
}
