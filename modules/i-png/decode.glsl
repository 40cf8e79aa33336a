#include "shared/colour.glsl"

// Encoded colour is straight. Numbers that are no colours stay.
void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 v = i.pixels;
  o.output = param.encoding == 0 ? multiplied(vec4(decoded(v.rgb, param.gamma), v.a)) : v;
}
