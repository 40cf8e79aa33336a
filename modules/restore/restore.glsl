#include "shared/colour.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 own = asColour(i.input);
  vec3 colour = own.rgb + i.rest.rgb;
  if (param.grey) { colour = vec3(luminanceOf(colour, colour_input)); }
  narrow(vec4(colour, own.a), o.output);
}
