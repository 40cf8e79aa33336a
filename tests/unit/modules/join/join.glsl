void run(Pixel p) {
  if (all(lessThan(p.position, p.extent))) {
    store_output(p.position, 0.5 * (load_input(p.position) + load_other(p.position)));
  }
}
