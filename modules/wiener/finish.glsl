// The picture: the pilot and the mean deviation from it of all filtered blocks at a pixel.

#include "noise.glsl"

void run(Pixel p) {
  ivec2 extent = ivec2(array_size.data[0], array_size.data[1]), at = p.position - partOrigin();
  if (any(greaterThanEqual(at, extent))) { return; }
  int i = at.y * extent.x + at.x, plane = extent.x * extent.y;
  float weight = float(int(array_sums.data[3 * plane + i]));
  Noise n = noiseOfInput();
  vec3 v = opponentValues(stabilisedOr(vec3(0.0), load_pilot(p.position).rgb, n));
  for (int c = 0; c < 3; ++c) { v[c] += float(int(array_sums.data[c * plane + i])) / weight; }
  vec3 colour = colourOf(v, n);
  store_output(p.position, vec4(param.bounded ? clamp(colour, 0.0, 1.0) : colour, load_input(p.position).a));
}
