// Where distances of pixels lie in memory.

#include "distances.glsl"

// Planes of half of the offsets: (0, 1) to (0, SEARCH), then dx = 1, 2, ... with all dy. The first one is at
// firstColumn.
int planeOf(int dx, int dy) {
  return (dx - firstColumn) * (2 * SEARCH + 1) + dy + (firstColumn == 0 ? -1 : SEARCH);
}
