// The bilateral filter: Larsson 2015, equation 2.8. Every schedule adds taps row by row from the top, each
// row from the left, with the arithmetic of gather(), so all give the same result.

#include "mean.glsl"
#include "shared/border.glsl"

// True for pixels that stay unchanged, false for those to be filtered.
bool isKept(ivec2 at, ivec2 extent) {
  bool keeps = borderKeeps(at, extent, param.radius, BORDER);
  if (keeps) {
    store_output(at, decode_input(raw_input(at)));
  }
  return keeps;
}

// The spatial weight, and the first and last column of a row's support.
float spatialWeight(int dx, int dy) {
  return array_weights.data[(dy + param.radius) * (2 * param.radius + 1) + dx + param.radius];
}
ivec2 reachOf(int dy, ivec2 columns) {
#if DISTANCE == 3
  int reach = int(array_weights.data[3969 + dy + param.radius]);
  return ivec2(max(-reach, columns.x), min(reach, columns.y));
#else
  return columns;
#endif
}
