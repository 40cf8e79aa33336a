void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  atomicAdd(array_counts.data[(p.position.x + p.position.y) % 4], 1u);
  store_output(p.position, load_input(p.position));
}
