#include "shared/colour.glsl"

// Encoded colour is straight. Numbers that are no colours stay.
vec3 encodedColour(vec4 v) {
  return param.encoding == 0 ? encoded(toUnit(straightened(v).rgb), param.gamma) : toUnit(v.rgb);
}

void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 v = asColour(i.input);
  o.pixels = vec4(encodedColour(v), toUnit(v.a));
}
