#include "shared/colour.glsl"

// JPEG has no alpha, so the picture is shown over black.
void apply(Inputs i, inout Outputs o, Pixel p) {
  vec3 colour = toUnit(asColour(i.input).rgb);
  o.pixels = vec4(param.encoding == 0 ? encoded(colour, param.gamma) : colour, 1.0);
}
