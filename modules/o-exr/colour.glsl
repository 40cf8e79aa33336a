#include "shared/colour.glsl"

vec4 stored(vec4 v) {
  bool isUndivided = param.least_alpha > 0.0 && !(v.a >= param.least_alpha);
  bool isGlow = v.a == 0.0 ? param.keep_glow : isUndivided;
  return isGlow ? v : premultiplied(v);
}
vec3 stored(vec3 v) { return v; }
float stored(float v) { return v; }

void apply(Inputs i, inout Outputs o, Pixel p) { o.pixels = stored(i.input); }
