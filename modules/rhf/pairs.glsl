// Distances of patches, each pair of pixels once: Delbracio et al. 2014, section 3. The distance of p and p + o is a sum over
// the patch of distances of two histograms, and that of p + o and p is the same number. So the distance of two histograms is
// computed for half of the offsets, once a pixel, and summed over the patch afterwards.
//
// An invocation takes P pixels below each other, and all offsets in one column of the search window: P + 2 SEARCH histograms
// give P (2 SEARCH + 1) distances. Bins are the outer loop, so that each is loaded once. Bins that are next to empty in all of
// the workgroup's pixels, and those around them, are passed over: two numbers of at most 1/2 never count.

#extension GL_EXT_control_flow_attributes : enable
#extension GL_KHR_shader_subgroup_vote : enable
#include "distances.glsl"

const int offsets = 2 * SEARCH + 1;
const int rows = P + 2 * SEARCH;
const int columns = int(gl_WorkGroupSize.x);
const int lines = int(gl_WorkGroupSize.y) * P;
const int pairs = P * offsets;
const int packed = (P + 1) / 2 * offsets;  // two counts a word

shared vec2 tile[columns * lines];
shared uint used[(bins + 31) / 32];

struct Pairs {
  float distance[pairs];
  uint terms[packed];
};

float termsOf(Pairs a, int j, int i) { return float(a.terms[j / 2 * offsets + i] >> 16 * (j & 1) & 0xffffu); }

// One bin, of pixels that all have the same number of samples.
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

// The same of any numbers of samples.
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

#define LOAD(plane) \
  float p[P]; \
  float q[rows]; \
  [[unroll]] for (int j = 0; j < P; ++j) { p[j] = at_histogram(plane, INDEX(at.x, at.y + j)); } \
  [[unroll]] for (int t = 0; t < rows; ++t) { q[t] = at_histogram(plane, INDEX(at.x + dx, at.y + t - SEARCH)); }

int nextBin(inout uint word) {
  int bit = findLSB(word);
  word &= word - 1u;
  return bit;
}

// Whether all pixels at hand have the same number of samples, and have some.
bool areEven(float ours[P], float theirs[rows]) {
  bool even = ours[0] != 0.0;
  [[unroll]] for (int j = 0; j < P; ++j) { even = even && ours[j] == ours[0]; }
  [[unroll]] for (int t = 0; t < rows; ++t) { even = even && theirs[t] == ours[0]; }
  return even;
}

void addPairs(inout Pairs a, ivec2 at, int dx) {
#define INDEX(x, y) (clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1))
  float ours[P];
  float theirs[rows];
  {
    LOAD(bins)
    [[unroll]] for (int j = 0; j < P; ++j) { ours[j] = p[j]; }
    [[unroll]] for (int t = 0; t < rows; ++t) { theirs[t] = q[t]; }
  }
  if (subgroupAll(areEven(ours, theirs))) {
    for (int w = 0; w < (bins + 31) / 32; ++w) {
      for (uint word = used[w]; word != 0u;) {
        int bin = 32 * w + nextBin(word);
        LOAD(bin)
        addBin(a, p, q);
      }
    }
    return;
  }
  for (int w = 0; w < (bins + 31) / 32; ++w) {
    for (uint word = used[w]; word != 0u;) {
      int bin = 32 * w + nextBin(word);
      LOAD(bin)
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

// The largest patch around both pixels that the image has room for.
int patchOf(ivec2 p, ivec2 q) { return min(PATCH, min(roomAt(p), roomAt(q))); }

float summed(ivec2 local, ivec2 p, ivec2 q) {
  int w = patchOf(p, q);
  vec2 sum = vec2(0.0);
  for (int dy = -w; dy <= w; ++dy) {
    for (int dx = -w; dx <= w; ++dx) { sum += tile[(local.y + dy) * columns + local.x + dx]; }
  }
  return distanceOf(sum.x, sum.y);
}

// Which bins any pixel has that the workgroup looks at, `first` being the upper left one without its search window.
void findUsed(ivec2 first) {
  int own = int(gl_LocalInvocationIndex);
  int all_ = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);
  for (int w = own; w < (bins + 31) / 32; w += all_) { used[w] = 0u; }
  barrier();
  ivec2 from = max(first - ivec2(0, SEARCH), ivec2(0)) / blockSide;
  ivec2 to = min(first + ivec2(columns + SEARCH, lines + SEARCH), ivec2(width, height) - 1) / blockSide;
  ivec2 size = to - from + 1;
  for (int i = own; i < size.x * size.y; i += all_) {
    ivec2 block = from + ivec2(i % size.x, i / size.x);
    for (int w = 0; w < (bins + 31) / 32; ++w) {
      atomicOr(used[w], array_used.data[(w * blockRows + block.y) * blockColumns + block.x]);
    }
  }
  barrier();
}

void run(Pixel ignored) {
  store_grid(ignored.position, 0.0);
  ivec2 group = ivec2(gl_WorkGroupID.xy);
  ivec2 local = ivec2(gl_LocalInvocationID.xy) * ivec2(1, P);
  ivec2 first = group * (ivec2(columns, lines) - 2 * PATCH) - PATCH;
  ivec2 at = first + local;
  findUsed(first);
  for (int dx = 0; dx <= SEARCH; ++dx) {
    Pairs a;
    [[unroll]] for (int i = 0; i < pairs; ++i) { a.distance[i] = 0.0; }
    [[unroll]] for (int i = 0; i < packed; ++i) { a.terms[i] = 0u; }
    addPairs(a, at, dx);
    [[unroll]] for (int i = 0; i < offsets; ++i) {
      int dy = i - SEARCH;
      barrier();
      [[unroll]] for (int j = 0; j < P; ++j) {
        tile[(local.y + j) * columns + local.x] = vec2(a.distance[j * offsets + i], termsOf(a, j, i));
      }
      barrier();
      [[unroll]] for (int j = 0; j < P; ++j) {
        ivec2 here = local + ivec2(0, j);
        ivec2 p = at + ivec2(0, j);
        bool inside = all(greaterThanEqual(here, ivec2(PATCH))) && all(lessThan(here, ivec2(columns, lines) - PATCH)) &&
                      all(lessThan(p, ivec2(width, height)));
        if (inside && (dx > 0 || dy > 0)) {
          at_distances(planeOf(dx, dy), p.y * width + p.x) = contains(p + ivec2(dx, dy)) ? summed(here, p, p + ivec2(dx, dy)) : farAway;
        }
      }
    }
  }
}
