// The pixels with which a pixel is averaged (Delbracio et al. 2014, section 3); then 1 / their number,
// negative if fewer than K others are similar, so that further ones are added.

#extension GL_EXT_control_flow_attributes : enable
#include "candidates.glsl"

// Patches below the threshold.
uint columnBelow(const bool whole, ivec2 p, int dx, int room) {
  uint column = 0u;
  [[unroll]] for (int i = 0; i < side; ++i) {
    if (whole || isCandidate(p + ivec2(dx, i - SEARCH), room)) {
      column |= distanceTo(p, ivec2(dx, i - SEARCH)) < param.threshold ? 1u << i : 0u;
    }
  }
  return column;
}

int selectBelow(const bool whole, ivec2 p, int room, int index) {
  int count = 0;
  for (int dx = 0; dx <= SEARCH; ++dx) {
    uint word = columnBelow(whole, p, -dx, room);
    if (dx > 0) { word |= columnBelow(whole, p, dx, room) << 16; }
    at_masks(dx, index) = word;
    count += bitCount(word);
  }
  return count;
}

// Selects the nearest ones, too, and returns their number.
int selectNearest(ivec2 p, int room, int index) {
  Nearest nearest = none();
  for (int dx = -SEARCH; dx <= SEARCH; ++dx) {
    [[unroll]] for (int dy = -SEARCH; dy <= SEARCH; ++dy) { offer(nearest, p, ivec2(dx, dy), room); }
  }
  int count = 0;
  for (int dx = 0; dx <= SEARCH; ++dx) {
    at_masks(dx, index) |= bitsOf(nearest, dx);
    count += bitCount(at_masks(dx, index));
  }
  return count;
}

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (!contains(p)) { return; }
  int room = roomAt(p);
  int index = p.y * width + p.x;
  int count = room >= PATCH + SEARCH ? selectBelow(true, p, PATCH, index)
                                     : selectBelow(false, p, min(room, PATCH), index);
  // With more than K below the threshold the nearest are among them.
  bool isForced = isFinest && count <= K;
  if (isForced) { count = selectNearest(p, min(room, PATCH), index); }
  at_masks(SEARCH + 1, index) = floatBitsToUint((isForced ? -1.0 : 1.0) / float(count));
}
