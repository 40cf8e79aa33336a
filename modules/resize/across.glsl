#include "shared/colour.glsl"
#include "axis.glsl"

vec4 texel(ivec2 at) { return asColour(load_input(at)); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Axis axis = axisAt(p.position.x, extent_input.x, p.extent.x);
  Inputs i;
  narrow(filtered(p.position, ivec2(1, 0), axis, extent_input.x), i.input);
  store_output(p.position, i.input);
}
