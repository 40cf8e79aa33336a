float mixed(float a, float b) {
  // The filter may have filled a pixel that was not a number.
  if (param.share == 1.0 || (param.share > 0.0 && (isnan(a) || isinf(a)))) { return b; }
  return param.share == 0.0 ? a : fma(param.share, b, (1.0 - param.share) * a);
}
vec2 mixed(vec2 a, vec2 b) { return vec2(mixed(a.x, b.x), mixed(a.y, b.y)); }
vec3 mixed(vec3 a, vec3 b) { return vec3(mixed(a.xy, b.xy), mixed(a.z, b.z)); }
vec4 mixed(vec4 a, vec4 b) { return vec4(mixed(a.xyz, b.xyz), mixed(a.w, b.w)); }

void apply(Inputs i, inout Outputs o, Pixel p) { o.output = mixed(i.input, i.other); }
