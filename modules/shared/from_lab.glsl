#include "shared/lab.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec3 linear = labToLinear(load_lab(p.position), colour_input);
  Inputs i;
  i.input = load_input(p.position);
  narrow(vec4(format_input <= format_u16 ? linearToSrgb(linear) : linear, asColour(i.input).a), i.input);
  store_output(p.position, i.input);
}
