void apply(Inputs i, inout Outputs o, Pixel p) {
  float y = clamp(dot(i.input.rgb, vec3(0.2126, 0.7152, 0.0722)), 0.0, 1.0);
  o.output = vec4(i.input.rgb * mix(param.shadows, 1.0, y), i.input.a);
}
