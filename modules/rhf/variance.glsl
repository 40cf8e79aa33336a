// How noisy a pixel of the input is, and how far the filter took it: what blend.glsl weighs against each other. The variance of
// the mean follows from the pixel's histogram. A sample between two bins was shared by them, which adds up to a quarter of their
// squared distance to its variance: that much is taken away, so that noise is rather under- than overestimated.

#include "histogram.glsl"
#include "shared/colour.glsl"
#include "shared/finite.glsl"

const int binsEach = bins / 3;

// Radiance in the middle of a bin: the inverse of what filled it.
float radianceOf(int bin) {
  float v = bin < binsEach - 1 ? float(bin) / float(binsEach - 2) : 2.0;
  return pow(v * param.maximum, param.gamma);
}

// Of one sample, in one colour.
float varianceOf(int colour, int index) {
  float count = 0.0;
  float sum = 0.0;
  float squares = 0.0;
  float shared_ = 0.0;
  for (int bin = 0; bin < binsEach; ++bin) {
    float h = at_histogram(colour * binsEach + bin, index);
    float radiance = radianceOf(bin);
    float next = radianceOf(min(bin + 1, binsEach - 1)) - radianceOf(max(bin - 1, 0));
    count += h;
    sum += h * radiance;
    squares += h * radiance * radiance;
    shared_ += h * next * next / 16.0;
  }
  float mean = sum / count;
  return max((squares - shared_) / count - mean * mean, 0.0);
}

void run(Pixel pixel) {
  ivec2 x = pixel.position;
  if (any(greaterThanEqual(x, pixel.extent))) { return; }
  int index = x.y * width + x.x;
  float n = at_histogram(bins, index);
  vec3 moved = asColour(load_filtered(x)).rgb - asColour(load_input(x)).rgb;
  vec2 v = vec2(-1.0);  // nothing is known
  if (n > 1.0 && isFinite(moved)) {
    float variance = varianceOf(0, index) + varianceOf(1, index) + varianceOf(2, index);
    v = isFinite(variance) ? vec2(variance / (n - 1.0), dot(moved, moved)) : v;
  }
  store_output(x, v);
}
