// The noise of 256 tiles, spread evenly over the picture: mean squares of the detail that levels remove
// without edges, in the stabilised picture. One workgroup for a tile of 16x16 pixels and the 14 around it
// that three levels reach. A level's spline is separable, and splines of levels are too: rows are summed for
// all levels at once, then columns.

#extension GL_EXT_control_flow_attributes : enable

#include "opponent.glsl"
#include "curve.glsl"

const int grid = 16;  // tiles along each side
const int inner = 16;
const int margin = 14;
const int side = inner + 2 * margin;
const int count = side * side;
const int threads = inner * inner;
const int turns = 8;  // pixels a thread, at most
const int pairs = 5;  // of sums
// For levels 0, 1 and 2: how far their splines reach, the unit of weights, the first place of weights, from the
// middle on, and that of rows of sums.
const int reach[3] = int[](2, 6, 14);
const float unit[3] = float[](1.0 / 16.0, 1.0 / 256.0, 1.0 / 4096.0);
const int firstOf[3] = int[](0, 3, 10);
const float splines[25] = float[](6.0, 4.0, 1.0, 44.0, 40.0, 31.0, 20.0, 10.0, 4.0, 1.0, 344.0, 336.0, 315.0, 284.0,
                                  246.0, 204.0, 161.0, 120.0, 84.0, 56.0, 35.0, 20.0, 10.0, 4.0, 1.0);
const int rowsOf[3] = int[](0, 20, 48);
// Standard deviation of unit white noise in levels 0, 1 and 2.
const float whiteNoise[3] = float[](0.8907, 0.2007, 0.0855);
const float none = -1.0;

shared vec2 plane[count];  // values, then sums of rows

bool isInside(ivec2 at, int border) {
  return all(greaterThanEqual(at, ivec2(border))) && all(lessThan(at, ivec2(side - border)));
}

ivec2 placeOf(int i) { return ivec2(i % side, i / side); }

struct Sums {
  vec4 squares;  // brightness in levels 0 and 1, colours in 0 and 2
  vec3 values;
  float least;
  float greatest;
};

// The first pixel of a tile's surroundings.
int cornerOf(int tile, int length) { return ((2 * tile + 1) * (length - side + 1)) / (2 * grid); }

void add(inout Sums sums, vec3 v) {
  sums.values += v;
  sums.least = min(sums.least, min(v.r, min(v.g, v.b)));
  sums.greatest = max(sums.greatest, max(v.r, max(v.g, v.b)));
}

// A level's sum of values that are `step` apart.
vec2 splineAt(int level, int at, int step) {
  vec2 sum = splines[firstOf[level]] * plane[at];
  [[unroll]] for (int k = 1; k <= reach[level]; ++k) {
    sum = fma(vec2(splines[firstOf[level] + k]), plane[at - k * step] + plane[at + k * step], sum);
  }
  return unit[level] * sum;
}

// Sums of the first `levels` levels' rows, in place of the values. A level needs inner columns only.
void sumRows(int self, int levels) {
  vec2 sums[9];
  [[unroll]] for (int level = 0; level < levels; ++level) {
    [[unroll]] for (int turn = 0; turn < 3; ++turn) {
      ivec2 at = ivec2(margin, margin - reach[level] + inner * turn) + ivec2(self % inner, self / inner);
      if (at.y < side - margin + reach[level]) { sums[3 * level + turn] = splineAt(level, side * at.y + at.x, 1); }
    }
  }
  barrier();
  [[unroll]] for (int level = 0; level < levels; ++level) {
    [[unroll]] for (int turn = 0; turn < 3; ++turn) {
      int row = self / inner + inner * turn;
      if (row < inner + 2 * reach[level]) {
        plane[inner * (rowsOf[level] + row) + self % inner] = sums[3 * level + turn];
      }
    }
  }
  barrier();
}

// This thread's inner pixel at a level.
vec2 coarse(int self, int level) {
  return splineAt(level, inner * (rowsOf[level] + reach[level]) + self, inner);
}

// Returns the thread's inner value.
vec2 fill(int self, vec2 own[turns]) {
  [[unroll]] for (int turn = 0; turn < turns; ++turn) {
    int i = self + turn * threads;
    if (i < count) { plane[i] = own[turn]; }
  }
  barrier();
  return plane[side * (margin + self / inner) + margin + self % inner];
}

// The squares that levels remove from this thread's inner pixel.
vec4 squaresOf(int self, vec2 brightness[turns], vec2 colours[turns]) {
  float fine = fill(self, brightness).x;
  sumRows(self, 2);
  float first = coarse(self, 0).x;
  vec2 removed = vec2(fine - first, first - coarse(self, 1).x);
  barrier();
  vec2 fineColours = fill(self, colours);
  sumRows(self, 3);
  vec2 firstRemoved = fineColours - coarse(self, 0), thirdRemoved = coarse(self, 1) - coarse(self, 2);
  barrier();
  return vec4(removed * removed, dot(firstRemoved, firstRemoved), dot(thirdRemoved, thirdRemoved));
}

// Sums over all threads, and in the last pair the least, in `plane` at each pair's first place, by two rounds
// of sixteen.
void gatherSums(int self, Sums own) {
  vec2 values[pairs] = vec2[](own.squares.xy, own.squares.zw, own.values.xy, vec2(own.values.z, 0.0),
                              vec2(own.least, -own.greatest));
  for (int k = 0; k < pairs; ++k) { plane[k * threads + self] = values[k]; }
  for (int stride = 1; stride < threads; stride *= 16) {
    barrier();
    int first = self * stride * 16;
    if (first < pairs * threads) {
      bool isLast = first >= (pairs - 1) * threads;
      vec2 total = plane[first];
      for (int k = 1; k < 16; ++k) {
        vec2 other = plane[first + k * stride];
        total = isLast ? min(total, other) : total + other;
      }
      plane[first] = total;
    }
  }
  barrier();
}

void store(int tile) {
  vec3 mean = vec3(plane[2 * threads], plane[3 * threads].x) / float(inner * inner);
  vec4 squares = vec4(plane[0], 0.5 * plane[threads]) / float(inner * inner);
  vec4 white = vec4(whiteNoise[0], whiteNoise[1], whiteNoise[0], whiteNoise[2]);
  vec4 noise = squares / (white * white);
  for (int k = 0; k < 4; ++k) { array_tiles.data[8 * tile + k] = noise[k]; }
  array_tiles.data[8 * tile + 4] = min(mean.r, min(mean.g, mean.b));
  array_tiles.data[8 * tile + 5] = max(mean.r, max(mean.g, mean.b));
  array_tiles.data[8 * tile + 6] = plane[4 * threads].x;
  array_tiles.data[8 * tile + 7] = -plane[4 * threads].y;
}

// Pixels are loaded before the noise is known, to wait for both at once.
void run(Pixel p) {
  int self = int(gl_LocalInvocationIndex);
  int tile = int(gl_WorkGroupID.x);
  ivec2 corner = ivec2(cornerOf(tile % grid, extent_input.x), cornerOf(tile / grid, extent_input.y));
  if (any(lessThan(extent_input, ivec2(side)))) {
    if (self < 8) { array_tiles.data[8 * tile + self] = none; }
    return;
  }
  if (!hasPixels(corner, corner + side - 1)) { return; }
  vec3 loaded[turns];
  for (int turn = 0; turn < turns; ++turn) {
    int i = self + turn * threads;
    loaded[turn] = i < count ? load_input(corner + placeOf(i)).rgb : vec3(0.0);
  }
  Curve curve = connectedOr(estimated(self));
  Growth growth = Growth(curve.power, curve.offset);
  Sums sums = Sums(vec4(0.0), vec3(0.0), 1e30, -1e30);
  vec2 brightness[turns], colours[turns];
  for (int turn = 0; turn < turns; ++turn) {
    vec3 v = stabilised(loaded[turn], growth) / max(curve.noise, 1e-6);
    if (isInside(placeOf(self + turn * threads), margin)) { add(sums, v); }
    vec3 o = opponent(v) * 1.7320508;
    brightness[turn] = vec2(o.x, 0.0);
    colours[turn] = o.yz / colourEdges;
  }
  sums.squares = squaresOf(self, brightness, colours);
  gatherSums(self, sums);
  if (self == 0) { store(tile); }
}
