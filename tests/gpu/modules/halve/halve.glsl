void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_output(p.position, load_input(min(2 * p.position, extent_input - 1)));
}
