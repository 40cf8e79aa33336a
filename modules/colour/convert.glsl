#include "shared/colour.glsl"

// `from` and `to`: 0 rec2020, 1 rec709, 2 data.
vec3 converted(vec3 v) {
  if (param.from == 1 && param.to == 0) return rec2020FromRec709 * v;
  if (param.from == 0 && param.to == 1) return rec709FromRec2020 * v;
  return v;
}
vec4 converted(vec4 v) { return vec4(converted(v.rgb), v.a); }

void apply(Inputs i, inout Outputs o, Pixel p) { o.output = converted(i.input); }
