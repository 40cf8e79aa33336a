#include "shared/colour.glsl"
#include "shared/finite.glsl"
#include "shared/ray_histogram.glsl"

// The invocation owns its pixel's numbers.
void addTo(int plane, Pixel p, float amount) {
  at_histogram(plane, p.position.y * p.extent.x + p.position.x) += amount;
}

void addColour(int colour, Pixel p, float light) {
  BinShare at = binShareOf(light, param.bins, param.gamma, param.maximum);
  int plane = colour * param.bins + at.bin;
  addTo(plane, p, 1.0 - at.share);
  addTo(plane + 1, p, at.share);
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 light = asColour(load_input(p.position));
  if (!isFinite(light)) { return; }
  for (int colour = 0; colour < 3; ++colour) { addColour(colour, p, light[colour]); }
  addTo(3 * param.bins, p, 1.0);
}
