// Planes into planes of four bins a word: roots of their shares of the samples.

#include "shared/finite.glsl"

const int bins = planes_histogram - 1;

void run(Pixel pixel) {
  if (any(greaterThanEqual(pixel.position, extent_histogram))) { return; }
  int at = pixel.position.y * extent_histogram.x + pixel.position.x;
  float samples = at_histogram(bins, at);
  for (int w = 0; w < (bins + 3) / 4; ++w) {
    vec4 roots = vec4(0.0);
    for (int b = 0; b < 4; ++b) {
      if (4 * w + b < bins) {
        float share = at_histogram(4 * w + b, at) / samples;
        roots[b] = isFinite(share) ? sqrt(clamp(share, 0.0, 1.0)) : 0.0;
      }
    }
    at_packed(w, at) = packUnorm4x8(roots);
  }
}
