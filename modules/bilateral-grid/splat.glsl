// An invocation fills three cells, a third of the rows apart: for colours these are the channels of one cell,
// so that a pixel is read once for all of them.

#include "grid.glsl"

// The sums of the cell whose first pixel is `corner`: its pixels' values on a level, and their weights.
void gather(ivec2 corner, float level, out COLOUR sum, out COLOUR weight) {
  ivec2 first = max(corner, ivec2(0));
  ivec2 end = min(corner + CELL, extent_input);
  sum = COLOUR(0.0);
  weight = COLOUR(0.0);
  for (int y = first.y; y < end.y; ++y) {
    for (int x = first.x; x < end.x; ++x) {
      Tap t = tapAt(ivec2(x, y));
      if (counts(t)) {
        COLOUR share = COLOUR(max(1.0 - abs(levelOf(t) - level), WEIGHT(0.0)));
        sum = fma(share, t.colour, sum);
        weight += share;
      }
    }
  }
}

void run(Pixel p) {
  int third = (p.extent.y + 2) / 3;
  if (p.position.x >= p.extent.x || p.position.y >= third) { return; }
  float level = float(p.position.x % LEVELS);
  ivec2 corner = (ivec2(p.position.x / LEVELS, p.position.y) - 1) * CELL;
  COLOUR sum;
  COLOUR weight;
#if channels_input == 1
  for (int y = p.position.y; y < p.extent.y; y += third, corner.y += third * CELL) {
    gather(corner, level, sum, weight);
    store_grid(ivec2(p.position.x, y), vec2(sum, weight));
  }
#else
  gather(corner, level, sum, weight);
  for (int c = 0; c < 3; ++c) {
    store_grid(p.position + ivec2(0, c * third), vec2(sum[c], weight[c]));
  }
#endif
}
