void run(Pixel p) {
  if (p.position.x >= p.extent.x || p.position.y >= p.extent.y) { return; }
  ivec2 from = clamp(p.position + ivec2(-5, 3), ivec2(0), extent_input - 1);
  store_output(p.position, load_input(from) + vec4(0.0, 0.0, vec2(p.position) / vec2(extent_output)));
}
