#include "shared/colour.glsl"
#include "shared/finite.glsl"

// A frame's pixel as a sample: its colour is weighted by its alpha. False: it has a NaN or an infinity and is
// ignored.
bool takeSample(vec4 seen, out vec4 light) {
  light = premultiplied(seen);
  return isFinite(seen) && isFinite(light);
}
