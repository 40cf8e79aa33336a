// The noise of 256 tiles, spread evenly over the picture: mean squares of the detail that levels remove
// without edges, in the stabilised picture. One workgroup for a tile of 16x16 pixels and the 14 around it
// that three levels reach.

#include "opponent.glsl"

const int grid = 16;  // tiles along each side
const int inner = 16;
const int margin = 14;
const int side = inner + 2 * margin;
const int count = side * side;
const int threads = 256;
const int turns = 8;  // pixels a thread, at most
const float spline[5] = float[](0.0625, 0.25, 0.375, 0.25, 0.0625);
// Standard deviation of unit white noise in levels 0, 1 and 2.
const float whiteNoise[3] = float[](0.8907, 0.2007, 0.0855);
const float none = -1.0;

shared float plane[2 * side * side];  // the filtered values, and its rows' sums

bool isInside(ivec2 at, int border) {
  return all(greaterThanEqual(at, ivec2(border))) && all(lessThan(at, ivec2(side - border)));
}

ivec2 placeOf(int i) { return ivec2(i % side, i / side); }

// Filters one level, in place, and returns this thread's sum of the squares that it removes from the inner
// pixels. Pixels within `known` of the tile's border are no longer right.
float level(int self, int known, int dilation) {
  int border = known + 2 * dilation;
  for (int i = self; i < count; i += threads) {
    ivec2 at = placeOf(i);
    float sum = 0.0;
    if (at.x >= border && at.x < side - border) {
      for (int k = 0; k < 5; ++k) { sum = fma(spline[k], plane[i + (k - 2) * dilation], sum); }
    }
    plane[count + i] = sum;
  }
  barrier();
  float squares = 0.0;
  for (int i = self; i < count; i += threads) {
    ivec2 at = placeOf(i);
    if (isInside(at, border)) {
      float sum = 0.0;
      for (int k = 0; k < 5; ++k) { sum = fma(spline[k], plane[count + i + (k - 2) * dilation * side], sum); }
      float taken = plane[i] - sum;
      squares += isInside(at, margin) ? taken * taken : 0.0;
      plane[i] = sum;
    }
  }
  barrier();
  return squares;
}

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

vec4 squaresOf(int self, vec3 own[turns]) {
  vec4 squares = vec4(0.0);
  for (int component = 0; component < 3; ++component) {
    for (int turn = 0; turn < turns; ++turn) {
      int i = self + turn * threads;
      if (i < count) { plane[i] = own[turn][component]; }
    }
    barrier();
    float first = level(self, 0, 1);
    float second = level(self, 2, 2);
    if (component == 0) {
      squares.xy = vec2(first, second);
    } else {
      squares.z += first;
      squares.w += level(self, 6, 4);
    }
  }
  return squares;
}

// Sums of nine numbers over all threads, in `plane` at `from`, by two rounds of sixteen.
void gatherSums(int self, Sums own) {
  const int numbers = 9;
  float values[numbers] = float[](own.squares.x, own.squares.y, own.squares.z, own.squares.w, own.values.x,
                                  own.values.y, own.values.z, own.least, own.greatest);
  for (int k = 0; k < numbers; ++k) { plane[k * threads + self] = values[k]; }
  for (int stride = 1; stride < threads; stride *= 16) {
    barrier();
    int first = self * stride * 16;
    if (first < numbers * threads) {
      int kind = first / threads;
      float total = plane[first];
      for (int k = 1; k < 16; ++k) {
        float other = plane[first + k * stride];
        total = kind == 7 ? min(total, other) : (kind == 8 ? max(total, other) : total + other);
      }
      plane[first] = total;
    }
  }
  barrier();
}

void run(Pixel p) {
  int self = int(gl_LocalInvocationIndex);
  int tile = int(gl_WorkGroupID.x);
  ivec2 corner = ivec2(cornerOf(tile % grid, extent_input.x), cornerOf(tile / grid, extent_input.y));
  bool fits = all(greaterThanEqual(extent_input, ivec2(side)));
  if (fits && !hasPixels(corner, corner + side - 1)) { return; }
  Sums sums = Sums(vec4(0.0), vec3(0.0), 1e30, -1e30);
  vec3 own[turns];
  for (int turn = 0; turn < turns; ++turn) {
    int i = self + turn * threads;
    ivec2 at = placeOf(i);
    if (i < count && fits) {
      vec3 v = stabilised(load_input(corner + at).rgb) / max(param.noise, 1e-6);
      if (isInside(at, margin)) { add(sums, v); }
      own[turn] = opponent(v) * vec3(1.7320508, vec2(1.7320508 / colourEdges));
    }
  }
  sums.squares = squaresOf(self, own);
  gatherSums(self, sums);
  if (self == 0) {
    vec3 mean = vec3(plane[4 * threads], plane[5 * threads], plane[6 * threads]) / float(inner * inner);
    vec4 squares = vec4(plane[0], plane[threads], 0.5 * plane[2 * threads], 0.5 * plane[3 * threads]) /
                   float(inner * inner);
    vec4 white = vec4(whiteNoise[0], whiteNoise[1], whiteNoise[0], whiteNoise[2]);
    vec4 noise = squares / (white * white);
    for (int k = 0; k < 4; ++k) { array_tiles.data[8 * tile + k] = fits ? noise[k] : none; }
    array_tiles.data[8 * tile + 4] = min(mean.r, min(mean.g, mean.b));
    array_tiles.data[8 * tile + 5] = max(mean.r, max(mean.g, mean.b));
    array_tiles.data[8 * tile + 6] = plane[7 * threads];
    array_tiles.data[8 * tile + 7] = plane[8 * threads];
  }
}
