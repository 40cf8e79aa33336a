void run(Pixel p) {
  if (all(lessThan(p.position, p.extent))) { store_twice(p.position, 2.0 * load_image(p.position)); }
}
