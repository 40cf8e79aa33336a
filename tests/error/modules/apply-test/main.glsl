void run(Pixel p) {
  if (all(lessThan(p.position, p.extent))) {
    store_output(p.position, load_input(p.position) * array_values.data[0]);
  }
}
