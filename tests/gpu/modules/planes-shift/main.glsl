void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_planes))) { return; }
  int i = p.position.y * extent_planes.x + p.position.x;
  for (int plane = 0; plane < planes_output; ++plane) { at_output(plane, i) = 0.0; }
  for (int plane = 0; plane < planes_planes; ++plane) {
    float more = plane < planes_more ? at_more(plane, i) : 0.0;
    at_output((plane + i) % planes_output, i) += at_planes(plane, i) + more;
  }
  float sum = 0.0;
  for (int plane = 0; plane < planes_output; ++plane) { sum += at_output(plane, i); }
  store_sum(p.position, sum);
#if planes_numbers > 0
  for (int plane = 0; plane < planes_numbers; ++plane) { at_numbers(plane, i) = uint(1000 * i + plane); }
#endif
}
