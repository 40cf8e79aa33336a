#include "shared/border.glsl"

void apply(Inputs inputs, inout Outputs o, Pixel p) {
  ivec4 v = ivec4(inputs.input);
  o.taps = vec4(borderIndex(v.x, v.y, v.w), borderIndexNear(v.x, v.y, v.w), borderTaps(v.x, v.y, v.z, v.w));
  o.keeps = borderKeeps(ivec2(v.x), ivec2(v.y), v.z, v.w) ? 1.0 : 0.0;
}
