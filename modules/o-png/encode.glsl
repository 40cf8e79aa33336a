#include "shared/colour.glsl"

// PNG's alpha is straight: colour stays unpremultiplied.
void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 v = asColour(i.input);
  vec3 colour = toUnit(v.rgb);
  o.pixels = vec4(param.encoding == 0 ? encoded(colour, param.gamma) : colour, toUnit(v.a));
}
