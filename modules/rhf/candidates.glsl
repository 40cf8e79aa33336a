// The pixels of a search window as candidates. A set of them is a bit each: word dx has the columns at -dx
// (its lower half) and at dx (its upper half) of the search window, each from top to bottom.

#include "offsets.glsl"

const int side = 2 * SEARCH + 1;

// Patches of other pixels must be as large as this one's.
bool isCandidate(ivec2 q, int room) { return contains(q) && roomAt(q) >= room; }

float distanceTo(ivec2 p, ivec2 o) {
  if (o == ivec2(0)) { return isFinest ? 0.0 : -1.0; }
  bool ahead = o.x > 0 || (o.x == 0 && o.y > 0);
  ivec2 from = ahead ? p : p + o;
  ivec2 by = ahead ? o : -o;
#ifdef planes_distances
  return at_distances(planeOf(by.x, by.y), from.y * width + from.x);
#else
  return farAway;
#endif
}

// The K nearest pixels beside the pixel itself. In the definition's order columns go from left to right, each
// from top to bottom; among equal distances the first one counts as nearer.
struct Nearest {
  float distance[K + 1];  // the last place is for those that fall out
  int place[K + 1];       // by order; -1: none
};

Nearest none() {
  Nearest nearest;
  for (int i = 0; i <= K; ++i) {
    nearest.distance[i] = farAway;
    nearest.place[i] = -1;
  }
  return nearest;
}

// The result of an earlier pass: distances, then places, two in a word; nothing if there was no such pass.
Nearest nearestBefore(int index) {
  Nearest nearest = none();
#if K > 0 && defined(planes_before)
  [[unroll]] for (int i = 0; i < K; ++i) {
    nearest.distance[i] = uintBitsToFloat(at_before(i, index));
    nearest.place[i] = int(at_before(K + i / 2, index) >> 16 * (i & 1) & 0xffffu) - 1;
  }
#endif
  return nearest;
}

void insert(inout Nearest nearest, float distance, int place) {
  [[unroll]] for (int i = 0; i < K; ++i) {
    bool less =
        distance < nearest.distance[i] || (distance == nearest.distance[i] && place < nearest.place[i]);
    float d = nearest.distance[i];
    int p = nearest.place[i];
    nearest.distance[i] = less ? distance : d;
    nearest.place[i] = less ? place : p;
    distance = less ? d : distance;
    place = less ? p : place;
  }
}

void offer(inout Nearest nearest, ivec2 p, ivec2 o, int room) {
  if (o != ivec2(0) && isCandidate(p + o, room)) {
    insert(nearest, distanceTo(p, o), (o.x + SEARCH) * side + o.y + SEARCH);
  }
}

// The bits of the nearest pixels in word dx, and the pixel's own bit.
uint bitsOf(Nearest nearest, int dx) {
  uint word = dx == 0 ? 1u << SEARCH : 0u;
  for (int i = 0; i < K; ++i) {
    int column = nearest.place[i] / side - SEARCH;
    if (nearest.place[i] >= 0 && abs(column) == dx) {
      word |= 1u << (nearest.place[i] % side + (column > 0 ? 16 : 0));
    }
  }
  return word;
}
