void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int i = p.position.y * p.extent.x + p.position.x;
  for (int plane = 0; plane < planes_output; ++plane) {
    at_output(plane, i) = at_last(plane, i) + at_planes(plane, i);
  }
}
