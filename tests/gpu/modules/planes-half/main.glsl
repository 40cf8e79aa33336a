void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_output))) { return; }
  int to = p.position.y * extent_output.x + p.position.x;
  for (int plane = 0; plane < planes_planes; ++plane) {
    float sum = 0.0;
    for (int k = 0; k < 4; ++k) {
      ivec2 from = 2 * p.position + ivec2(k % 2, k / 2);
      if (all(lessThan(from, extent_planes))) { sum += at_planes(plane, from.y * extent_planes.x + from.x); }
    }
    at_output(plane, to) = sum;
  }
}
