// The largest of a block and its neighbours: what is interpolated between blocks then reaches each block's own.

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 most = vec4(0.0);
  for (int k = 0; k < 9; ++k) {
    most = max(most, load_below(clamp(p.position + ivec2(k % 3, k / 3) - 1, ivec2(0), p.extent - 1)));
  }
  store_most(p.position, most);
}
