// The result of select.glsl, from the words and the nearest pixels that select_some.glsl found. The native
// code adds `wordAt`.

#extension GL_EXT_control_flow_attributes : enable
#include "candidates.glsl"

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (!contains(p)) { return; }
  int index = p.y * width + p.x;
  int below = 0;
  for (int dx = 0; dx <= SEARCH; ++dx) { below += bitCount(wordAt(dx, index)); }
  Nearest nearest = nearestBefore(index);
  int count = 0;
  for (int dx = 0; dx <= SEARCH; ++dx) {
    uint word = wordAt(dx, index);
    if (below <= K) { word |= bitsOf(nearest, dx); }
    at_masks(dx, index) = word;
    count += bitCount(word);
  }
  at_masks(SEARCH + 1, index) = floatBitsToUint((isFinest && below <= K ? -1.0 : 1.0) / float(count));
}
