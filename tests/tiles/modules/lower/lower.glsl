void apply(Inputs i, inout Outputs o, Pixel p) {
  o.output = 2 * p.position.y > p.extent.y ? vec4(i.input.r + 0.1, i.input.gb, 0.5 * i.input.a) : i.input;
}
