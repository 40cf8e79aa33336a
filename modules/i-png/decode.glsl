#include "shared/colour.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) {
  vec3 colour = i.pixels.rgb;
  o.output = vec4(param.encoding == 0 ? decoded(colour, param.gamma) : colour, i.pixels.a);
}
