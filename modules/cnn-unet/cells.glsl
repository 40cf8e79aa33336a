// Photographs in cells of 2x2 pixels, each one pixel of the network, and their values.

#include "clean.glsl"

#if pattern_input == 2
// The first cell begins so many columns and rows before the picture: red is a cell's first pixel.
ivec2 redPlace() {
  bool isDiagonal = colourAt_input(ivec2(1)) == 0;
  return ivec2(isDiagonal || colourAt_input(ivec2(1, 0)) == 0, isDiagonal || colourAt_input(ivec2(0, 1)) == 0);
}
// With gains and rebuilt highlights values may be above 1.
float valueAt(ivec2 p) {
  float value = load_input(p);
  return isnan(value) ? 0.0 : clamp(value, -1.0, 65504.0);
}
#else
ivec2 redPlace() { return ivec2(0); }
vec3 valueAt(ivec2 p) { return cleanAlbedo(load_input(p).rgb); }
#endif

// fedcb|abcdef|edcba, which keeps a mosaic's pattern
ivec2 mirrored(ivec2 p) {
  ivec2 last = extent_input - 1;
  return last - abs(last - abs(p) % max(2 * last, 1));
}
