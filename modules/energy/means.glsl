// The light of a block of 8x8 pixels in the denoised picture, and what the noisy one has more. Pixels that are
// not finite, or negative, in either count in neither.
#include "shared/colour.glsl"

shared vec3 lights[64], differences[64];

bool isLight(vec3 v) { return all(greaterThanEqual(v, vec3(0.0))) && all(lessThan(v, vec3(1e30))); }

void run(Pixel p) {
  int own = int(gl_LocalInvocationIndex);
  bool counts = all(lessThan(p.position, p.extent));
  vec3 noisy = counts ? asColour(load_noisy(p.position)).rgb : vec3(0.0);
  vec3 light = counts ? asColour(load_input(p.position)).rgb : vec3(0.0);
  counts = isLight(noisy) && isLight(light);
  lights[own] = counts ? light : vec3(0.0);
  differences[own] = counts ? noisy - light : vec3(0.0);
  barrier();
  for (int half_ = 32; half_ > 0; half_ /= 2) {
    if (own < half_) {
      lights[own] += lights[own + half_];
      differences[own] += differences[own + half_];
    }
    barrier();
  }
  if (own == 0) {
    store_light(p.position / 8, vec4(lights[0], 0.0));
    store_difference(p.position / 8, vec4(differences[0], 0.0));
  }
}
