void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_mixed(p.position, load_input(p.position) * 3u + load_back(p.position));
}
