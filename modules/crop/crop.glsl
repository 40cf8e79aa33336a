void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_output(p.position, load_input(p.position + ivec2(param.x, param.y)));
}
