// Which pixels a pixel is averaged with: Delbracio et al. 2014, section 3. A bit each, a word for each column of the search
// window; then 1 / their number. Columns go from left to right and each from top to bottom: of equal distances the first one
// counts as the nearer.

#extension GL_EXT_control_flow_attributes : enable
#include "distances.glsl"

const int side = 2 * SEARCH + 1;

float distanceTo(ivec2 p, int dx, int dy) {
  if (dx == 0 && dy == 0) { return isFinest ? 0.0 : -1.0; }
  bool ahead = dx > 0 || (dx == 0 && dy > 0);
  int from = ahead ? p.y * width + p.x : (p.y + dy) * width + p.x + dx;
  return at_distances(ahead ? planeOf(dx, dy) : planeOf(-dx, -dy), from);
}

// Patches of other pixels must be as large as this one's.
bool isCandidate(ivec2 q, int room) { return contains(q) && roomAt(q) >= room; }

// Those below the threshold.
uint columnBelow(const bool whole, ivec2 p, int dx, int room) {
  uint column = 0u;
  [[unroll]] for (int i = 0; i < side; ++i) {
    if (whole || isCandidate(p + ivec2(dx, i - SEARCH), room)) {
      column |= distanceTo(p, dx, i - SEARCH) < param.threshold ? 1u << i : 0u;
    }
  }
  return column;
}

int selectBelow(const bool whole, ivec2 p, int room, int index) {
  int count = 0;
  for (int dx = -SEARCH; dx <= SEARCH; ++dx) {
    uint column = columnBelow(whole, p, dx, room);
    at_masks(dx + SEARCH, index) = column;
    count += bitCount(column);
  }
  return count;
}

struct Nearest {
  float distance[K + 1];
  int place[K + 1];  // column and row in the search window; -1: none
};

void insert(inout Nearest nearest, float distance, int place) {
  [[unroll]] for (int i = 0; i <= K; ++i) {
    bool less = distance < nearest.distance[i];
    float d = nearest.distance[i];
    int p = nearest.place[i];
    nearest.distance[i] = less ? distance : d;
    nearest.place[i] = less ? place : p;
    distance = less ? d : distance;
    place = less ? p : place;
  }
}

// The nearest ones, too; the pixel itself is one of them. How many there are.
int selectNearest(ivec2 p, int room, int index) {
  Nearest nearest;
  for (int i = 0; i <= K; ++i) {
    nearest.distance[i] = farAway;
    nearest.place[i] = -1;
  }
  for (int dx = -SEARCH; dx <= SEARCH; ++dx) {
    for (int dy = -SEARCH; dy <= SEARCH; ++dy) {
      if (isCandidate(p + ivec2(dx, dy), room)) {
        insert(nearest, distanceTo(p, dx, dy), (dx + SEARCH) * 32 + dy + SEARCH);
      }
    }
  }
  int count = 0;
  for (int i = 0; i <= K; ++i) {
    int place = nearest.place[i];
    if (place >= 0) {
      at_masks(place >> 5, index) |= 1u << (place & 31);
      ++count;
    }
  }
  return count;
}

void run(Pixel pixel) {
  ivec2 p = pixel.position;
  if (any(greaterThanEqual(p, ivec2(width, height)))) { return; }
  int room = roomAt(p);
  int index = p.y * width + p.x;
  int count = room >= PATCH + SEARCH ? selectBelow(true, p, PATCH, index) : selectBelow(false, p, min(room, PATCH), index);
  // More than K below the threshold: the nearest are among them.
  if (isFinest && count <= K) { count = selectNearest(p, min(room, PATCH), index); }
  at_masks(side, index) = floatBitsToUint(1.0 / float(count));
}
