// Ray histograms of the samples. The invocation owns its pixel's numbers.

#include "shared/ray_histogram.glsl"

void fillColour(int first, int pixel, float light) {
  BinShare at = binShareOf(light, param.bins, param.gamma, param.maximum);
  at_histogram(first + at.bin, pixel) += 1.0 - at.share;
  at_histogram(first + at.bin + 1, pixel) += at.share;
}

void clearHistogram(int pixel) {
  for (int plane = 0; plane < planes_histogram; ++plane) { at_histogram(plane, pixel) = 0.0; }
}

void fillHistogram(int pixel, vec3 light) {
  fillColour(0, pixel, light.r);
  fillColour(param.bins, pixel, light.g);
  fillColour(2 * param.bins, pixel, light.b);
  at_histogram(3 * param.bins, pixel) += 1.0;
}
