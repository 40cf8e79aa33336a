// Which pixels a pixel is averaged with: Delbracio et al. 2014, section 3. A bit each, a word for each column of the search
// window. Columns go from left to right and each from top to bottom: of equal distances the first one counts as the nearer.

#include "distances.glsl"

#define NEAREST (isFinest ? K + 1 : 0)

struct Nearest {
  float distance[K + 1];
  int place[K + 1];
};

void insert(inout Nearest nearest, float distance, int place) {
  for (int i = 0; i < NEAREST; ++i) {
    if (distance < nearest.distance[i]) {
      float d = nearest.distance[i];
      int p = nearest.place[i];
      nearest.distance[i] = distance;
      nearest.place[i] = place;
      distance = d;
      place = p;
    }
  }
}

float distanceTo(ivec2 p, ivec2 o) {
  if (o == ivec2(0)) { return isFinest ? 0.0 : -1.0; }
  bool ahead = o.x > 0 || (o.x == 0 && o.y > 0);
  ivec2 from = ahead ? p : p + o;
  ivec2 by = ahead ? o : -o;
  return at_distances(planeOf(by.x, by.y), from.y * width + from.x);
}

// Patches of other pixels must be as large as this one's.
bool isCandidate(ivec2 q, int room) { return contains(q) && roomAt(q) >= room; }

void run(Pixel pixel) {
  store_grid(pixel.position, 0.0);
  ivec2 p = pixel.position;
  if (any(greaterThanEqual(p, ivec2(width, height)))) { return; }
  int room = min(PATCH, roomAt(p));
  int index = p.y * width + p.x;
  Nearest nearest;
  for (int i = 0; i < NEAREST; ++i) {
    nearest.distance[i] = farAway;
    nearest.place[i] = -1;
  }
  for (int dx = -SEARCH; dx <= SEARCH; ++dx) {
    uint column = 0u;
    for (int dy = -SEARCH; dy <= SEARCH; ++dy) {
      if (!isCandidate(p + ivec2(dx, dy), room)) { continue; }
      float distance = distanceTo(p, ivec2(dx, dy));
      column |= distance < param.threshold ? 1u << (dy + SEARCH) : 0u;
      insert(nearest, distance, (dx + SEARCH) * 32 + dy + SEARCH);
    }
    at_masks(dx + SEARCH, index) = column;
  }
  for (int i = 0; i < NEAREST; ++i) {
    int place = nearest.place[i];
    if (place >= 0) { at_masks(place >> 5, index) |= 1u << (place & 31); }
  }
}
