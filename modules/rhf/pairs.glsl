// Distances of patches, each pair of pixels once: Delbracio et al. 2014, section 3. The distance of p and p +
// o is a sum over the patch of distances of two histograms, and that of p + o and p is the same number. So
// the distance of two histograms is computed for half of the offsets, once a pixel, and summed over the patch
// afterwards.
//
// An invocation takes P pixels below each other, and all offsets in one column of the search window: P + 2
// SEARCH histograms give P (2 SEARCH + 1) distances. Bins are the outer loop, so that each is loaded once.
// Bins that are nearly empty in all of the workgroup's pixels, and those around them, are skipped: two
// numbers of at most 1/2 never count.

#extension GL_EXT_control_flow_attributes : enable
#include "offsets.glsl"

const int offsets = 2 * SEARCH + 1;
const int rows = P + 2 * SEARCH;
const int columns = int(gl_WorkGroupSize.x);
const int lines = int(gl_WorkGroupSize.y) * P;
const int pairs = P * offsets;
const int packed = P / 2 * offsets;  // two counts a word

// Shared memory of the workgroup: first numbers of some bins, for all pixels that it reads; then distances
// and counts of some offsets, with room around them that is read but not used.
const int tileWidth = columns + SEARCH;
const int tilePixels = tileWidth * (lines + 2 * SEARCH);
const int depth = 2;
const int batch = 4;
const int margin = PATCH * columns + PATCH;
const int sumsSize = columns * lines + 2 * margin;
const int countsSize = columns * lines / 2 + 2 * margin;
shared float memory[max(depth * tilePixels, batch * (sumsSize + countsSize))];
shared uint used[(bins + 31) / 32];
shared int list[bins];

struct Pairs {
  float distance[pairs];
  uint terms[packed];
};

// One bin, for pixels that all have the same number of samples.
void addBin(inout Pairs a, float p[P], float q[rows]) {
  [[unroll]] for (int j = 0; j < P; ++j) {
    [[unroll]] for (int i = 0; i < offsets; ++i) {
      float sum = p[j] + q[j + i];
      float d = p[j] - q[j + i];
      if (sum > 1.0) {
        a.distance[j * offsets + i] = fma(d, d / sum, a.distance[j * offsets + i]);
        a.terms[j / 2 * offsets + i] += 1u << 16 * (j & 1);
      }
    }
  }
}

// The same for any numbers of samples.
void addBin(inout Pairs a, float p[P], float q[rows], float ours[P], float theirs[rows]) {
  [[unroll]] for (int j = 0; j < P; ++j) {
    [[unroll]] for (int i = 0; i < offsets; ++i) {
      float sum = p[j] + q[j + i];
      float d = fma(p[j], theirs[j + i], -q[j + i] * ours[j]);
      if (sum > 1.0) {
        a.distance[j * offsets + i] = fma(d, d / sum, a.distance[j * offsets + i]);
        a.terms[j / 2 * offsets + i] += 1u << 16 * (j & 1);
      }
    }
  }
}

// --- bins, through shared memory ---

const int threads = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);
const int loads = (tilePixels + threads - 1) / threads;

// The place of the invocation's part of the tile in a plane.
struct Share {
  int from[loads];
};

Share shareOf(ivec2 first) {
  Share share;
  [[unroll]] for (int k = 0; k < loads; ++k) {
    int i = int(gl_LocalInvocationIndex) + k * threads;
    ivec2 at = first + ivec2(i % tileWidth, i / tileWidth - SEARCH);
    share.from[k] = clamp(at.y, 0, height - 1) * width + clamp(at.x, 0, width - 1);
  }
  return share;
}

// Loads the planes list[first] to the end of the list.
void fillTile(Share share, int first, int count) {
  float v[depth * loads];
  [[unroll]] for (int d = 0; d < depth; ++d) {
    int plane = list[min(first + d, count - 1)];
    [[unroll]] for (int k = 0; k < loads; ++k) { v[d * loads + k] = at_histogram(plane, share.from[k]); }
  }
  [[unroll]] for (int d = 0; d < depth; ++d) {
    [[unroll]] for (int k = 0; k < loads; ++k) {
      int i = int(gl_LocalInvocationIndex) + k * threads;
      if (k < loads - 1 || i < tilePixels) { memory[d * tilePixels + i] = v[d * loads + k]; }
    }
  }
}

// The place in the tile of a column's topmost pixel; the pixel at `local` is SEARCH below it.
int tilePlace(int d, ivec2 local, int dx) { return d * tilePixels + local.y * tileWidth + local.x + dx; }

#define LOAD(d)                                                                               \
  float p[P];                                                                                 \
  float q[rows];                                                                              \
  int place = tilePlace(d, local, 0);                                                         \
  [[unroll]] for (int j = 0; j < P; ++j) { p[j] = memory[place + (j + SEARCH) * tileWidth]; } \
  [[unroll]] for (int t = 0; t < rows; ++t) { q[t] = memory[place + dx + t * tileWidth]; }

void addEven(inout Pairs a, Share share, ivec2 local, int dx, int count) {
  for (int first = 0; first < count; first += depth) {
    barrier();
    fillTile(share, first, count);
    barrier();
    [[unroll]] for (int d = 0; d < depth; ++d) {
      if (first + d < count) {
        LOAD(d)
        addBin(a, p, q);
      }
    }
  }
}

void addUneven(inout Pairs a, Share share, ivec2 local, int dx, int count, float ours[P],
               float theirs[rows]) {
  for (int first = 0; first < count; first += depth) {
    barrier();
    fillTile(share, first, count);
    barrier();
    for (int d = 0; d < min(depth, count - first); ++d) {
      LOAD(d)
      addBin(a, p, q, ours, theirs);
    }
  }
  [[unroll]] for (int j = 0; j < P; ++j) {
    [[unroll]] for (int i = 0; i < offsets; ++i) {
      float product = ours[j] * theirs[j + i];
      bool hasBoth = product != 0.0;
      a.distance[j * offsets + i] = hasBoth ? a.distance[j * offsets + i] / product : 0.0;
      a.terms[j / 2 * offsets + i] &= hasBoth ? ~0u : 0xffffu << 16 * (1 - (j & 1));
    }
  }
}

// --- sums over patches ---

int sumPlace(int b, ivec2 at) { return b * sumsSize + margin + at.y * columns + at.x; }
int countPlace(int b, ivec2 at) {
  return batch * sumsSize + b * countsSize + margin + (at.y >> 1) * columns + at.x;
}

void keep(int b, ivec2 local, Pairs a, int i) {
  [[unroll]] for (int j = 0; j < P; ++j) {
    memory[sumPlace(b, local + ivec2(0, j))] = a.distance[j * offsets + i];
  }
  [[unroll]] for (int j = 0; j < P; j += 2) {
    memory[countPlace(b, local + ivec2(0, j))] = uintBitsToFloat(a.terms[j / 2 * offsets + i]);
  }
}

uint countOf(uint word, int row) { return word >> 16 * (row & 1) & 0xffffu; }

// For invocations whose pixels all have whole patches. Columns of a row are added first; so are counts, two
// rows at a time.
void sumPatches(int b, ivec2 local, out float distance[P], out float terms[P]) {
  const int above = (PATCH + 1) / 2;  // words of counts above the invocation's own, and below
  uint words[P / 2 + 2 * above];
  [[unroll]] for (int w = 0; w < P / 2 + 2 * above; ++w) {
    words[w] = 0u;
    [[unroll]] for (int c = -PATCH; c <= PATCH; ++c) {
      words[w] += floatBitsToUint(memory[countPlace(b, local + ivec2(c, 2 * (w - above)))]);
    }
  }
  [[unroll]] for (int j = 0; j < P; ++j) {
    distance[j] = 0.0;
    terms[j] = 0.0;
  }
  [[unroll]] for (int r = -PATCH; r < P + PATCH; ++r) {
    float sum = 0.0;
    [[unroll]] for (int c = -PATCH; c <= PATCH; ++c) { sum += memory[sumPlace(b, local + ivec2(c, r))]; }
    float count = float(countOf(words[(r + 2 * above) / 2], r));
    [[unroll]] for (int j = 0; j < P; ++j) {
      if (abs(r - j) <= PATCH) {
        distance[j] += sum;
        terms[j] += count;
      }
    }
  }
}

// The sum for one pixel near the border, over the largest patch that is inside the image around both pixels.
float sumPatch(int b, ivec2 local, ivec2 p, ivec2 q) {
  int w = min(PATCH, min(roomAt(p), roomAt(q)));
  float sum = 0.0;
  uint count = 0u;
  for (int r = -w; r <= w; ++r) {
    for (int c = -w; c <= w; ++c) {
      sum += memory[sumPlace(b, local + ivec2(c, r))];
      count += countOf(floatBitsToUint(memory[countPlace(b, local + ivec2(c, r))]), local.y + r);
    }
  }
  return distanceOf(sum, float(count));
}

bool isInner(ivec2 local) {
  return all(greaterThanEqual(local, ivec2(PATCH))) && all(lessThan(local, ivec2(columns, lines) - PATCH));
}

void storeDistances(const bool whole, int b, ivec2 local, ivec2 at, ivec2 o) {
  float distance[P];
  float terms[P];
  if (whole) { sumPatches(b, local, distance, terms); }
  [[unroll]] for (int j = 0; j < P; ++j) {
    ivec2 p = at + ivec2(0, j);
    if (isInner(local + ivec2(0, j)) && (whole || contains(p))) {
      float d = whole             ? distanceOf(distance[j], terms[j])
                : contains(p + o) ? sumPatch(b, local + ivec2(0, j), p, p + o)
                                  : farAway;
      at_distances(planeOf(o.x, o.y), p.y * width + p.x) = d;
    }
  }
}

// The bins that some pixel of the workgroup has, in order, and their number.
int listUsed(ivec2 first) {
  int own = int(gl_LocalInvocationIndex);
  const int words = (bins + 31) / 32;
  for (int w = own; w < words; w += threads) { used[w] = 0u; }
  barrier();
  ivec2 from = max(first - ivec2(0, SEARCH), ivec2(0)) / blockSide;
  ivec2 to = min(first + ivec2(columns, lines) + SEARCH, ivec2(width, height)) - 1;
  ivec2 size = to / blockSide - from + 1;
  for (int i = own; i < size.x * size.y; i += threads) {
    ivec2 block = from + ivec2(i % size.x, i / size.x);
    for (int w = 0; w < words; ++w) {
      atomicOr(used[w], array_used.data[(w * blockRows + block.y) * blockColumns + block.x]);
    }
  }
  barrier();
  int count = 0;
  for (int w = 0; w < words; ++w) {
    for (int i = own; i < 32; i += threads) {
      uint below = used[w] & (1u << i) - 1u;
      if ((used[w] >> i & 1u) != 0u) { list[count + bitCount(below)] = 32 * w + i; }
    }
    count += bitCount(used[w]);
  }
  barrier();
  return count;
}

// Whether all pixels that the workgroup reads have the same number of samples above 0.
bool isEven(Share share) {
  int own = int(gl_LocalInvocationIndex);
  float n = at_histogram(bins, share.from[0]);
  if (own == 0) {
    memory[0] = n;
    used[0] = n != 0.0 ? 1u : 0u;
  }
  barrier();
  bool even = true;
  [[unroll]] for (int k = 0; k < loads; ++k) {
    even = even && at_histogram(bins, share.from[k]) == memory[0];
  }
  if (!even) { atomicAnd(used[0], 0u); }
  barrier();
  return used[0] != 0u;
}

void storeColumn(Pairs a, ivec2 local, ivec2 at, int dx, bool isWhole) {
  [[unroll]] for (int i = 0; i < offsets; i += batch) {
    if (dx == 0 && i + batch <= SEARCH + 1) { continue; }  // the other half
    barrier();
    [[unroll]] for (int b = 0; b < min(batch, offsets - i); ++b) { keep(b, local, a, i + b); }
    barrier();
    if (isWhole) {
      [[unroll]] for (int b = 0; b < min(batch, offsets - i); ++b) {
        ivec2 o = ivec2(dx, i + b - SEARCH);
        if (o.x > 0 || o.y > 0) { storeDistances(true, b, local, at, o); }
      }
    } else {
      for (int b = 0; b < min(batch, offsets - i); ++b) {
        ivec2 o = ivec2(dx, i + b - SEARCH);
        if (o.x > 0 || o.y > 0) { storeDistances(false, b, local, at, o); }
      }
    }
  }
}

void run(Pixel pixel) {
  ivec2 local = ivec2(gl_LocalInvocationID.xy) * ivec2(1, P);
  ivec2 first = ivec2(gl_WorkGroupID.xy) * (ivec2(columns, lines) - 2 * PATCH) - PATCH;
  ivec2 end = first + ivec2(columns, lines) + SEARCH;
  bool isWhole = all(greaterThanEqual(first, ivec2(SEARCH))) && all(lessThanEqual(end, ivec2(width, height)));
  Share share = shareOf(first);
  int count = listUsed(first);
  bool even = isEven(share);
  for (int dx = firstColumn; dx <= lastColumn; ++dx) {
    Pairs a;
    [[unroll]] for (int i = 0; i < pairs; ++i) { a.distance[i] = 0.0; }
    [[unroll]] for (int i = 0; i < packed; ++i) { a.terms[i] = 0u; }
    if (even) {
      addEven(a, share, local, dx, count);
    } else {
      float ours[P];
      float theirs[rows];
      barrier();
      int i = int(gl_LocalInvocationIndex);
      for (int k = 0; k < loads; ++k) {
        if (i + k * threads < tilePixels) { memory[i + k * threads] = at_histogram(bins, share.from[k]); }
      }
      barrier();
      LOAD(0)
      [[unroll]] for (int j = 0; j < P; ++j) { ours[j] = p[j]; }
      [[unroll]] for (int t = 0; t < rows; ++t) { theirs[t] = q[t]; }
      addUneven(a, share, local, dx, count, ours, theirs);
    }
    storeColumn(a, local, first + local, dx, isWhole);
  }
}
