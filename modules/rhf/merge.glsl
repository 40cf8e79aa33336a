// The improvement by a coarser scale, added to a finer one: enlarged by Keys' cubic convolution (1981, a =
// -1/2).

#include "shared/colour.glsl"
#include "shared/finite.glsl"
#include "gaussian.glsl"

void keys(float t, out float c[4]) {
  c[3] = -0.5 * t * t * (1.0 - t);
  c[2] = (2.0 - 1.5 * t) * t * t + 0.5 * t;
  c[1] = (1.5 * t - 2.5) * t * t + 1.0;
  c[0] = -0.5 * (t - 2.0) * t * t - 0.5 * t;
}

void run(Pixel pixel) {
  ivec2 x = pixel.position;
  if (any(greaterThanEqual(x, pixel.extent))) { return; }
  vec2 at = (vec2(x) + 0.5) * vec2(extent_difference) / vec2(pixel.extent) - 0.5;
  ivec2 base = ivec2(floor(at));
  float across[4];
  float down[4];
  keys(at.x - float(base.x), across);
  keys(at.y - float(base.y), down);
  vec3 sum = vec3(0.0);
  for (int j = 0; j < 4; ++j) {
    vec3 row = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
      ivec2 from =
          ivec2(mirrored(base.x + i - 1, extent_difference.x), mirrored(base.y + j - 1, extent_difference.y));
      vec3 d = asColour(load_difference(from)).rgb;
      row += across[i] * (isFinite(d) ? d : vec3(0.0));
    }
    sum += down[j] * row;
  }
  vec4 fine = asColour(load_fine(x));
  Inputs i;
  narrow(vec4(fine.rgb + sum, fine.a), i.fine);
  store_output(x, i.fine);
}
