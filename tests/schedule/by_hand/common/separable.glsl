// One pass of a separable filter: the mean along one axis, by weight. A kernel that includes this has an
// image `input` and an image `output` of the same extent and channels, a parameter `border` (border.glsl),
// and defines
//   int filterRadius();          taps to either side
//   float tapWeight(int steps);  of a tap so many pixels away, up to a common factor
#include "shared/border.glsl"
#include "shared/colour.glsl"

int filterRadius();
float tapWeight(int steps);

void add(inout vec4 sum, ivec2 position, int steps) {
  float w = tapWeight(steps);
  sum += vec4(w * asColour(load_input(position)).rgb, w);
}

// Alpha is not a colour: the pixel keeps its own.
vec4 meanAlong(ivec2 position, ivec2 direction, ivec2 extent) {
  int at = position.x * direction.x + position.y * direction.y;
  int side = extent.x * direction.x + extent.y * direction.y;
  int radius = filterRadius();
  vec4 sum = vec4(0.0);
  if (at >= radius && at + radius < side) {  // nothing to look up for most pixels
    for (int k = -radius; k <= radius; ++k) { add(sum, position + k * direction, k); }
  } else {
    ivec2 taps = borderTaps(at, side, radius, param.border);
    for (int k = taps.x; k <= taps.y; ++k) {
      add(sum, position + (borderIndex(at + k, side, param.border) - at) * direction, k);
    }
  }
  return vec4(sum.rgb / sum.a, asColour(load_input(position)).a);
}

// For run(): `direction` is (1, 0) or (0, 1).
void filterAlong(Pixel p, ivec2 direction) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Inputs i;
  narrow(meanAlong(p.position, direction, p.extent), i.input);
  store_output(p.position, i.input);
}
