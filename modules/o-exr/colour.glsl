#include "shared/colour.glsl"

vec4 stored(vec4 v) { return v.a == 0.0 && param.keep_glow ? v : premultiplied(v); }
vec3 stored(vec3 v) { return v; }
float stored(float v) { return v; }

void apply(Inputs i, inout Outputs o, Pixel p) { o.pixels = stored(i.input); }
