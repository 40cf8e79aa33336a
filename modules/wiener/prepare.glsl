// Planes of values of one standard deviation: three of the pilot, then three of the noisy picture.

#include "noise.glsl"
#include "shared/finite.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_input))) { return; }
  ivec2 extent = ivec2(array_size.data[0], array_size.data[1]);
  ivec2 at = p.position - partOrigin();
  int i = at.y * extent.x + at.x, plane = extent.x * extent.y;
  Noise n = noiseOfInput();
  vec3 pilot = load_pilot(p.position).rgb, noisy = load_input(p.position).rgb;
  pilot = isFinite(pilot) ? valuesOf(pilot, n) : vec3(0.0);
  noisy = isFinite(noisy) ? valuesOf(noisy, n) : pilot;
  for (int c = 0; c < 3; ++c) {
    array_planes.data[c * plane + i] = element_planes(pilot[c]);
    array_planes.data[(c + 3) * plane + i] = element_planes(noisy[c]);
  }
}
