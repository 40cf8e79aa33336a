// As select.glsl, for some columns of the search window: those at -dx and dx, firstColumn <= dx <=
// lastColumn. Takes the nearest pixels of earlier columns, and passes on the nearest of all columns so far.

#extension GL_EXT_control_flow_attributes : enable
#include "candidates.glsl"

void keepNearest(Nearest nearest, int index) {
#if K > 0
  [[unroll]] for (int i = 0; i < K; ++i) { at_nearest(i, index) = floatBitsToUint(nearest.distance[i]); }
  [[unroll]] for (int w = 0; w < (K + 1) / 2; ++w) {
    uint word = uint(nearest.place[2 * w] + 1);
    if (2 * w + 1 < K) { word |= uint(nearest.place[2 * w + 1] + 1) << 16; }
    at_nearest(K + w, index) = word;
  }
#endif
}

uint columnBelow(inout Nearest nearest, ivec2 p, int dx, int room) {
  uint column = 0u;
  for (int i = 0; i < side; ++i) {
    ivec2 o = ivec2(dx, i - SEARCH);
    if (isCandidate(p + o, room)) { column |= distanceTo(p, o) < param.threshold ? 1u << i : 0u; }
    if (isFinest) { offer(nearest, p, o, room); }
  }
  return column;
}

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (!contains(p)) { return; }
  int room = min(PATCH, roomAt(p));
  int index = p.y * width + p.x;
  Nearest nearest = nearestBefore(index);
  for (int dx = firstColumn; dx <= lastColumn; ++dx) {
    uint word = columnBelow(nearest, p, -dx, room);
    if (dx > 0) { word |= columnBelow(nearest, p, dx, room) << 16; }
    at_words(dx - firstColumn, index) = word;
  }
  keepNearest(nearest, index);
}
