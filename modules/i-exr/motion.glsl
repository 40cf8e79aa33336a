void apply(Inputs i, inout Outputs o, Pixel p) {
  o.output = i.pixels * vec2(param.motion_scale[0], param.motion_scale[1]);
}
