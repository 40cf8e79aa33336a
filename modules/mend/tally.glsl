void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_lamps))) { return; }
  if (load_lamps(p.position).a > 0.0 && ownsPixel(p.position)) { atomicAdd(array_count.data[0], 1u); }
}
