vec3 converted(vec3 v) {
  return vec3(fma(param.red_from_red, v.r, fma(param.red_from_green, v.g, param.red_from_blue * v.b)),
              fma(param.green_from_red, v.r, fma(param.green_from_green, v.g, param.green_from_blue * v.b)),
              fma(param.blue_from_red, v.r, fma(param.blue_from_green, v.g, param.blue_from_blue * v.b)));
}
vec4 converted(vec4 v) { return vec4(converted(v.rgb), v.a); }

void apply(Inputs i, inout Outputs o, Pixel p) { o.output = converted(i.input); }
