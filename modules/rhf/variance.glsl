// For blend.glsl: a pixel's noise in the input, the filter's change to it, and how many similar patches
// support that. The variance of the mean follows from the pixel's histogram. A sample between two bins was
// shared by them, which adds up to a quarter of their squared distance to its variance: that much, for the
// wider of the bin's two gaps, is subtracted, so that noise is rather under- than overestimated.

#include "colours.glsl"

const int binsEach = bins / 3;

// Radiance in the middle of a bin, by the inverse of the function that fills bins.
float radianceOf(int bin) {
  float v = bin < binsEach - 1 ? float(bin) / float(binsEach - 2) : 2.0;
  return pow(v * param.maximum, param.gamma);
}

// The variance of one sample in one colour.
float varianceOf(int colour, int index) {
  float count = 0.0;
  float sum = 0.0;
  float squares = 0.0;
  float shared_ = 0.0;
  for (int bin = 0; bin < binsEach; ++bin) {
    float h = at_histogram(colour * binsEach + bin, index);
    float radiance = radianceOf(bin);
    float gap =
        max(radianceOf(min(bin + 1, binsEach - 1)) - radiance, radiance - radianceOf(max(bin - 1, 0)));
    count += h;
    sum += h * radiance;
    squares += h * radiance * radiance;
    shared_ += h * gap * gap / 4.0;
  }
  float mean = sum / count;
  float variance = (squares - shared_) / count - mean * mean;
  return variance < 0.0 ? 0.0 : variance;  // NaN stays, unlike with max()
}

// The share of patches around a pixel that are averaged only with similar ones.
float supportOf(ivec2 x) {
#ifdef planes_masks
  float patches = 0.0;
  float founded = 0.0;
  for (int j = -PATCH; j <= PATCH; ++j) {
    for (int i = -PATCH; i <= PATCH; ++i) {
      ivec2 p = x - ivec2(i, j);
      if (!covers(p, ivec2(i, j))) { continue; }
      patches += 1.0;
      founded += uintBitsToFloat(at_masks(planes_masks - 1, p.y * width + p.x)) > 0.0 ? 1.0 : 0.0;
    }
  }
  return founded / patches;
#else
  return 1.0;
#endif
}

// Whether the pixel often exceeds the last bin, so that its noise is unknown.
bool isSaturated(int index) {
  float most = 0.0;
  for (int colour = 0; colour < 3; ++colour) {
    most = max(most, at_histogram((colour + 1) * binsEach - 1, index));
  }
  return most > 0.05 * at_histogram(bins, index);
}

void run(Pixel pixel) {
  ivec2 x = pixel.position;
  if (any(greaterThanEqual(x, pixel.extent))) { return; }
  int index = x.y * width + x.x;
  float n = at_histogram(bins, index);
  vec3 moved = asColour(load_filtered(x)).rgb - colourAt(x).rgb;
  float support = isSaturated(index) ? 0.0 : supportOf(x);
  vec4 v = vec4(-1.0, 0.0, support, 0.0);  // nothing is known about the noise
  if (n > 1.0 && isFinite(moved)) {
    float variance = varianceOf(0, index) + varianceOf(1, index) + varianceOf(2, index);
    v = isFinite(variance) ? vec4(variance / (n - 1.0), dot(moved, moved), support, 0.0) : v;
  }
  store_output(x, v);
}
