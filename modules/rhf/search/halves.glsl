// Planes into planes of two bins a word, halves.

const int bins = planes_histogram - 1;
const float most = 65504.0;

void run(Pixel pixel) {
  if (any(greaterThanEqual(pixel.position, extent_histogram))) { return; }
  int at = pixel.position.y * extent_histogram.x + pixel.position.x;
  for (int w = 0; w < (bins + 1) / 2; ++w) {
    vec2 h = vec2(at_histogram(2 * w, at), 0.0);
    if (2 * w + 1 < bins) { h.y = at_histogram(2 * w + 1, at); }
    at_packed(w, at) = packHalf2x16(min(h, most));
  }
}
