#include "shared/blocks.glsl"
#include "shared/colour.glsl"

void apply(Inputs i, inout Outputs o, Pixel p) {
  vec4 own = asColour(i.input);
  float luminance = luminanceOf(own, colour_input);
  vec3 w = luminanceWeights(colour_input);
  float red = i.state.r, blue = i.state.g;
  vec3 smooth_ = luminance * max(vec3(red, (1.0 - w.r * red - w.b * blue) / w.g, blue), 0.0);
  narrow(vec4(luminance > 0.0 && isLight(own.rgb) ? smooth_ : own.rgb, own.a), o.output);
}
