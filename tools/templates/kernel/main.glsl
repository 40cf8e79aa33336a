// Whole workgroups call this, also outside the image: nothing may be stored there.
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_output(p.position, load_input(ivec2(p.extent.x - 1 - p.position.x, p.position.y)));
}
