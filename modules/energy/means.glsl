// The light of a block of 8x8 pixels: x in the noisy picture, y in the denoised one. Pixels that are not
// finite, or negative, in either count in neither.
#include "shared/colour.glsl"

shared vec2 sums[64];

bool isLight(float v) { return v >= 0.0 && v < 1e30; }

vec2 lightAt(ivec2 at) {
  vec2 light = vec2(luminanceOf(load_noisy(at), colour_noisy), luminanceOf(load_input(at), colour_input));
  return isLight(light.x) && isLight(light.y) ? light : vec2(0.0);
}

void run(Pixel p) {
  int own = int(gl_LocalInvocationIndex);
  sums[own] = all(lessThan(p.position, p.extent)) ? lightAt(p.position) : vec2(0.0);
  barrier();
  for (int half_ = 32; half_ > 0; half_ /= 2) {
    if (own < half_) { sums[own] += sums[own + half_]; }
    barrier();
  }
  if (own == 0) { store_means(p.position / 8, sums[0]); }
}
