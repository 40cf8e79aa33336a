// Planes of values of one standard deviation: three of the pilot, then three of the noisy picture, less what
// clipping has added to the pilot's light.

#include "eaw/clipping.glsl"
#include "noise.glsl"

const float mostValue = 32000.0;  // in half floats

void run(Pixel unused) {
  ivec2 extent = ivec2(array_size.data[0], array_size.data[1]), at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, extent))) { return; }
  int i = at.y * extent.x + at.x, plane = extent.x * extent.y;
  Noise n = noiseOfInput();
  vec3 pilot = stabilisedOr(vec3(0.0), load_pilot(at + partOrigin()).rgb, n);
  vec3 added = addedToLight(pilot, n.clipped, whiteOf(n));
  vec3 noisy = stabilisedOr(pilot + added, load_input(at + partOrigin()).rgb, n) - added;
  pilot = clamp(opponentValues(pilot), -mostValue, mostValue);
  noisy = clamp(opponentValues(noisy), -mostValue, mostValue);
  for (int c = 0; c < 3; ++c) {
    array_planes.data[c * plane + i] = element_planes(pilot[c]);
    array_planes.data[(c + 3) * plane + i] = element_planes(noisy[c]);
  }
}
