const int multiplies = 1;
void apply(Inputs i, inout Outputs o, Pixel p) {
  vec3 amount = vec3(param.amount[0], param.amount[1], param.amount[2]) * (has_mask ? i.mask : 1.0);
  vec3 v = i.input.rgb;
  for (int n = 0; n < param.times; ++n) { v = param.mode == multiplies ? v * amount : v + amount; }
  o.output = vec4(param.invert ? 1.0 - v : v, i.input.a);
}
