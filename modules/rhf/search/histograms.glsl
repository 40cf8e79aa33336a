// Planes into an array of histograms, one pixel after the other.

void run(Pixel pixel) {
  if (any(greaterThanEqual(pixel.position, extent_histogram))) { return; }
  int at = pixel.position.y * extent_histogram.x + pixel.position.x;
  for (int b = 0; b < planes_histogram; ++b) {
    array_packed.data[at * planes_histogram + b] = at_histogram(b, at);
  }
}
