// The blocks of a group: those most similar to its first block in the pilot's brightness, the nearest first
// (Dabov et al. 2007, section III.B, step 1). An invocation has one group. We differ: means of four pixels are
// compared, 16 of a block; and there is no greatest distance, because less similar blocks, too, leave less
// noise.

#include "shared.glsl"

const int SAMPLES = 4;  // along a side
const int CELLS = (SEARCH - SPACING + 1) / SPACING;  // on each side of the first block, within SEARCH
const int SIDE = 2 * CELLS + 1;
const uint none = 0xffffffffu;
const uint indexBits = 0xfffu;  // of a cell: at most 63 x 63

// Of the candidate in a cell, from the first block. At distances of two pixels alone every second pixel would
// get other groups than its neighbours, which shows as a chequered pattern.
ivec2 offsetOf(ivec2 cell) {
  if (SPACING == 1 || cell == ivec2(0)) { return cell; }
  uint h = uint(cell.x + 64) * 73856093u ^ uint(cell.y + 64) * 19349663u;
  h = (h ^ h >> 13) * 1274126177u;
  h ^= h >> 16;
  return 2 * cell + ivec2(h & 1u, h >> 8 & 1u);
}

float meanAt(int x, int y, ivec2 extent) {
  ivec2 at = min(ivec2(x, y), extent - 1);
  return float(array_means.data[at.y * extent.x + at.x]);
}

// Keeps the least keys, in ascending order.
void insert(inout uint keys[GROUP], uint key) {
  if (key < keys[GROUP - 1]) {
    [[unroll]] for (int i = 0; i < GROUP; ++i) {
      uint least = min(keys[i], key);
      key = max(keys[i], key);
      keys[i] = least;
    }
  }
}

void run(Pixel unused) {
  ivec2 groups = extentOfGroups(), extent = extentOfPlanes(), group = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(group, groups))) { return; }
  ivec2 corner = cornerOf(group, extent), last = lastBlock(extent);
  float own[SAMPLES * SAMPLES];
  [[unroll]] for (int i = 0; i < SAMPLES * SAMPLES; ++i) {
    own[i] = meanAt(corner.x + 2 * (i % SAMPLES), corner.y + 2 * (i / SAMPLES), extent);
  }
  uint keys[GROUP];
  [[unroll]] for (int i = 0; i < GROUP; ++i) { keys[i] = none; }
  for (int i = 0; i < SIDE * SIDE; ++i) {
    ivec2 cell = ivec2(i % SIDE, i / SIDE) - CELLS;
    ivec2 at = corner + offsetOf(cell);
    if (all(greaterThanEqual(at, ivec2(0))) && all(lessThanEqual(at, last))) {
      float sum = 0.0;
      [[unroll]] for (int k = 0; k < SAMPLES * SAMPLES; ++k) {
        float d = meanAt(at.x + 2 * (k % SAMPLES), at.y + 2 * (k / SAMPLES), extent) - own[k];
        sum = fma(d, d, sum);
      }
      // The first block is in its group even where others are equal.
      insert(keys, cell == ivec2(0) ? 0u : floatBitsToUint(sum) & ~indexBits | uint(i));
    }
  }
  int first = (group.y * groups.x + group.x) * GROUP;
  [[unroll]] for (int i = 0; i < GROUP; ++i) {
    ivec2 at = corner;  // again, where a small picture has fewer blocks
    if (i > 0 && keys[i] != none) {
      int index = int(keys[i] & indexBits);
      at += offsetOf(ivec2(index % SIDE, index / SIDE) - CELLS);
    }
    array_places.data[first + i] = uint(at.x | at.y << 16);
  }
}
