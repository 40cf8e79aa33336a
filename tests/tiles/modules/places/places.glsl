void apply(Inputs i, inout Outputs o, Pixel p) {
  vec2 place = vec2(p.position) / vec2(p.extent);
  o.output = i.input + vec4(place, float(p.position.x % 7), float(p.position.y % 5));
}
