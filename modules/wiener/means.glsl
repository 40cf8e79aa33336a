// Means of four pixels of the pilot's brightness, the last column and row of two.

void run(Pixel unused) {
  ivec2 extent = ivec2(array_size.data[0], array_size.data[1]), at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, extent))) { return; }
  ivec2 next = min(at + 1, extent - 1);
  float sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    int x = i % 2 == 0 ? at.x : next.x, y = i < 2 ? at.y : next.y;
    sum += float(array_planes.data[y * extent.x + x]);
  }
  array_means.data[at.y * extent.x + at.x] = float16_t(0.25 * sum);
}
