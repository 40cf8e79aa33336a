// The result of the search around a pixel: the sum of the accepted patches, and the nearest ones of the
// others. Delbracio et al. 2014, section 3. Candidates are added row by row; if too few are below the
// threshold, the nearest others follow in order of distance. All exact variants add in this order, so that
// their results are equal bit for bit.

#extension GL_EXT_control_flow_attributes : enable
const bool isFinest = FINEST != 0;
#include "colours.glsl"
#include "distances.glsl"

const int side = 2 * SEARCH + 1;
const int around = 2 * PATCH + 1;
const int elements = around * around;
const uint nothing = 0x7fc00000u;  // NaN, for a mean of no colours

int indexOf(ivec2 p) { return p.y * width + p.x; }

// Patches of other pixels must be as large as this one's.
bool isCandidate(ivec2 q, int room) { return roomAt(q) >= room; }

struct Found {
  vec4 sums[elements];  // colours times their weights, and the weights
  int below;            // number of those below the threshold
  // The nearest of the others; among equal distances the first one, with columns from left to right, counts
  // as nearer.
  float distance[K + 1];
  int place[K + 1];  // column and row in the search window; -1: none
};

Found noneFound() {
  Found f;
  [[unroll]] for (int e = 0; e < elements; ++e) { f.sums[e] = vec4(0.0); }
  f.below = 0;
  [[unroll]] for (int i = 0; i <= K; ++i) {
    f.distance[i] = farAway;
    f.place[i] = -1;
  }
  return f;
}

void addPatch(inout Found f, ivec2 q, int room) {
  [[unroll]] for (int e = 0; e < elements; ++e) {
    ivec2 k = ivec2(e % around, e / around) - PATCH;
    if (max(abs(k.x), abs(k.y)) <= room) {
      vec4 v = colourAt(q + k);
      float w = weightOf(v);
      if (w != 0.0) { f.sums[e] += vec4(v.rgb * w, w); }
    }
  }
}

void insert(inout Found f, float distance, int place) {
  [[unroll]] for (int i = 0; i <= K; ++i) {
    float d = f.distance[i];
    int p = f.place[i];
    bool nearer = distance < d || (distance == d && place < p);
    f.distance[i] = nearer ? distance : d;
    f.place[i] = nearer ? place : p;
    distance = nearer ? d : distance;
    place = nearer ? p : place;
  }
}

// A candidate and its distance.
void take(inout Found f, ivec2 p, ivec2 o, int room, float distance) {
  if (distance < param.threshold) {
    addPatch(f, p + o, room);
    ++f.below;
  } else if (isFinest) {
    insert(f, distance, (o.x + SEARCH) * 32 + o.y + SEARCH);
  }
}

// The means of the patches' pixels, plane by plane.
void storeFound(Found f, ivec2 p, int room) {
  if (isFinest) {
    for (int i = 0; i <= K - f.below; ++i) {
      int place = f.place[i];
      if (place >= 0) { addPatch(f, p + ivec2(place >> 5, place & 31) - SEARCH, room); }
    }
  }
  [[unroll]] for (int e = 0; e < elements; ++e) {
    ivec2 k = ivec2(e % around, e / around) - PATCH;
    if (max(abs(k.x), abs(k.y)) <= room) {
      vec4 sum = f.sums[e];
      vec3 mean = sum.a != 0.0 ? sum.rgb / sum.a : vec3(uintBitsToFloat(nothing));
      [[unroll]] for (int c = 0; c < 3; ++c) { at_patches(3 * e + c, indexOf(p)) = mean[c]; }
    }
  }
}
