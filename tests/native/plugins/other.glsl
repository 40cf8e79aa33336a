// A variant of the kernel `weigh`, which native code builds.

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_weighed(p.position, BIAS * (load_input(p.position) * array_w.data[0] + array_w.data[1]));
}
