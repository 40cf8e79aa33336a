// Integers count as sRGB values, as in picture files; floats as linear light. Grey has no a and b.

#include "shared/lab.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 v = asColour(load_input(p.position));
  vec3 linear = format_input <= format_u16 ? srgbToLinear(v.rgb) : v.rgb;
  store_lab(p.position, labFrom(linear, colour_input));
}
