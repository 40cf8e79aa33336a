// Around a block: the noise relative to the luminance, and the mean luminance.
#include "shared/colour.glsl"

const int radius = 2;

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float luminance = 0.0, square = 0.0, count = 0.0;
  ivec2 first = max(p.position - radius, ivec2(0)), last = min(p.position + radius, p.extent - 1);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      vec2 step_ = vec2(ivec2(x, y) - p.position);
      float w = exp(-dot(step_, step_) / 1.125);  // a Gaussian of 6 pixels
      vec4 light = load_light(ivec2(x, y));
      luminance = fma(w, luminanceOf(light, colour_light), luminance);
      square = fma(w, dot(load_squares(ivec2(x, y)).rgb, vec3(1.0)), square);
      count = fma(w, light.a, count);
    }
  }
  float mean = luminance / max(count, 1.0);
  store_noise(p.position, vec4(sqrt(square / max(count, 1.0)) / max(mean, 1e-30), mean, 0.0, 0.0));
}
