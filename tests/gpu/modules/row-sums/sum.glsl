void run(Pixel p) {
  if (p.position.x >= p.extent.x) { return; }
  float sum = 0.0;
  for (int y = p.position.x; y < extent_input.y; y += p.extent.x) {
    for (int x = 0; x < extent_input.x; ++x) { sum += load_input(ivec2(x, y)); }
  }
  array_sums.data[p.position.x] = sum;
}
