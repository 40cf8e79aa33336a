// Histograms of a coarser scale; numbers that aren't finite count as 0. All of them are scaled alike, so that the picture has as
// many samples as before.

#include "histogram.glsl"
#include "gaussian.glsl"
#include "shared/finite.glsl"

#define FINE_PIXELS (fineWidth * fineHeight)
#define at_fine(plane, i) array_fine.data[(plane) * FINE_PIXELS + (i)]

float fineAt(int plane, int i) {
  float v = at_fine(plane, i);
  return isFinite(v) ? v : 0.0;
}

void run(Pixel pixel) {
  store_grid(pixel.position, 0.0);
  ivec2 x = pixel.position;
  if (any(greaterThanEqual(x, ivec2(width, height)))) { return; }
  float weights[taps];
  int across[taps];
  int down[taps];
  float sum = 0.0;
  for (int t = 0; t < taps; ++t) {
    weights[t] = gaussianWeight(t);
    sum += weights[t];
    across[t] = mirrored(firstTap(x.x) + t, fineWidth);
    down[t] = mirrored(firstTap(x.y) + t, fineHeight) * fineWidth;
  }
  for (int t = 0; t < taps; ++t) { weights[t] /= sum; }
  float factor = array_factor.data[0];
  for (int plane = 0; plane <= bins; ++plane) {
    float v = 0.0;
    for (int j = 0; j < taps; ++j) {
      float row = 0.0;
      for (int i = 0; i < taps; ++i) { row += weights[i] * fineAt(plane, down[j] + across[i]); }
      v += weights[j] * row;
    }
    at_histogram(plane, x.y * width + x.x) = factor * v;
  }
}
