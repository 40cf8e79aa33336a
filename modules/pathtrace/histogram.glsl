// Ray histograms (Delbracio et al. 2014, Boosting Monte Carlo Rendering by Ray Histogram Fusion): each sample shares itself
// between two bins a colour. Evenly spaced bins after a power, up to `maximum`; two more hold what is above, up to twice
// that. The invocation owns its pixel's numbers.

const float histogramEnd = 2.0;  // times `maximum`

void fillColour(int first, int pixel, float light) {
  int bins = param.bins;
  float v = min(pow(max(light, 0.0), 1.0 / param.gamma) / param.maximum, histogramEnd);
  float place = v * float(bins - 2);
  int bin = int(min(place, float(bins - 2)));
  float share = place - float(bin);
  if (bin >= bins - 2) {
    bin = bins - 2;
    share = (v - 1.0) / (histogramEnd - 1.0);
  }
  at_histogram(first + bin, pixel) += 1.0 - share;
  at_histogram(first + bin + 1, pixel) += share;
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
