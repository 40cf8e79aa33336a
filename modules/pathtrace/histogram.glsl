// Ray histograms (Delbracio et al. 2014, Boosting Monte Carlo Rendering by Ray Histogram Fusion): each sample shares itself
// between two bins a colour. Evenly spaced bins after a power, up to `maximum`; two more hold what is above, up to twice
// that. The invocation owns its pixel's numbers.

const float histogramEnd = 2.0;  // times `maximum`

void fillColour(int first, int pixels, float light) {
  int bins = param.bins;
  float v = min(pow(max(light, 0.0), 1.0 / param.gamma) / param.maximum, histogramEnd);
  float place = v * float(bins - 2);
  int bin = int(min(place, float(bins - 2)));
  float share = place - float(bin);
  if (bin >= bins - 2) {
    bin = bins - 2;
    share = (v - 1.0) / (histogramEnd - 1.0);
  }
  array_histogram.data[first + bin * pixels] += 1.0 - share;
  array_histogram.data[first + (bin + 1) * pixels] += share;
}

void clearHistogram(int pixel, int pixels) {
  for (int i = 0; i <= 3 * param.bins; ++i) { array_histogram.data[pixel + i * pixels] = 0.0; }
}

void fillHistogram(int pixel, int pixels, vec3 light) {
  int colour = param.bins * pixels;
  fillColour(pixel, pixels, light.r);
  fillColour(pixel + colour, pixels, light.g);
  fillColour(pixel + 2 * colour, pixels, light.b);
  array_histogram.data[pixel + 3 * colour] += 1.0;
}
