void apply(Inputs i, inout Outputs o, Pixel p) {
  o.output = 0.6 * i.sharp + 0.2 * i.blurred + 0.1 * i.last + 0.1 * vec4(param.mean, param.changed, 0.0, 0.0);
}
