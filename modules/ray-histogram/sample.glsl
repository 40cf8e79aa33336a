#include "shared/colour.glsl"
#include "shared/finite.glsl"

// A frame's pixel as a sample: its colour counts as much as its alpha. False: it has a NaN or an infinity and counts nowhere.
bool takeSample(vec4 seen, out vec4 light) {
  light = premultiplied(seen);
  return isFinite(seen) && isFinite(light);
}
