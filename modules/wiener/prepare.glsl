// Planes of values of one standard deviation: three of the pilot, then three of the noisy picture, less what
// clipping has added to the pilot's light.

#include "eaw/clipping.glsl"
#include "noise.glsl"
#include "shared/finite.glsl"

void run(Pixel unused) {
  ivec2 extent = ivec2(array_size.data[0], array_size.data[1]), at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, extent))) { return; }
  int i = at.y * extent.x + at.x, plane = extent.x * extent.y;
  Noise n = noiseOfInput();
  vec3 light = load_pilot(at + partOrigin()).rgb, noise = load_input(at + partOrigin()).rgb;
  vec3 pilot = stabilised(light, n.growth) / n.amount, noisy = stabilised(noise, n.growth) / n.amount;
  // Both: a power of NaN may be a number, and a quotient infinite.
  pilot = isFinite(light) && isFinite(pilot) ? pilot : vec3(0.0);
  noisy = isFinite(noise) && isFinite(noisy) ? noisy - addedToLight(pilot, n.clipped, whiteOf(n)) : pilot;
  pilot = opponentValues(pilot);
  noisy = opponentValues(noisy);
  for (int c = 0; c < 3; ++c) {
    array_planes.data[c * plane + i] = element_planes(pilot[c]);
    array_planes.data[(c + 3) * plane + i] = element_planes(noisy[c]);
  }
}
