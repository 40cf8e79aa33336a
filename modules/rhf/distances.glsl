// Distances of pixels, and where they are kept.

#include "histogram.glsl"

const float farAway = 3e38;

// What is compared with the threshold, where `terms` bins were compared. At the finest scale pixels without any are alike,
// at coarser ones they are not (k = 0 likewise).
float distanceOf(float sum, float terms) {
  if (isFinest) { return sum / (terms + 1e-4); }
  return sum < param.threshold * terms ? -1.0 : farAway;
}

// Planes of half of the offsets: (0, 1) to (0, SEARCH), then dx = 1, 2, ... with all dy. The first one is at firstColumn.
int planeOf(int dx, int dy) {
  return (dx - firstColumn) * (2 * SEARCH + 1) + dy + (firstColumn == 0 ? -1 : SEARCH);
}
