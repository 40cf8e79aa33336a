void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int i = p.position.y * p.extent.x + p.position.x;
  store_output(p.position, load_input(p.position) + array_weights.data[i % count_weights]);
  store_id(p.position, array_ids.data[i % count_ids]);
}
