// The values of pixels outside the image. A module that includes this has a parameter
//   choices = ["reflect-101", "clamp", "valid-only", "zero-weight"]
// and hands its index over as `mode`. Along one axis, i is a position and n > 0 the image's side.

// Gfedcb|abcdefgh|gfedcba, as often as needed: the pixel at the edge is not repeated.
const int borderReflect101 = 0;
const int borderClamp = 1;       // aaaaaa|abcdefgh|hhhhhhh
const int borderValidOnly = 2;   // pixels with taps outside are unchanged
const int borderZeroWeight = 3;  // taps outside have no weight

// The pixel inside that stands for position i: i itself where it is inside, else by `mode`; in modes that
// never read outside, the nearest one.
int borderIndex(int i, int n, int mode) {
  if (uint(i) < uint(n)) { return i; }
  if (mode != borderReflect101) { return clamp(i, 0, n - 1); }
  int period = max(2 * n - 2, 1);
  int j = abs(i);
  // j % period, which CPUs have no vectors for: the quotient of floats is off by one at most.
  j -= int(float(j) / float(period)) * period;
  j += j < 0 ? period : 0;
  j -= j >= period ? period : 0;
  return min(j, period - j);
}

// The same for positions less than n outside, in fewer steps.
int borderIndexNear(int i, int n, int mode) {
  return mode == borderReflect101 ? clamp(n - 1 - abs(n - 1 - abs(i)), 0, n - 1) : clamp(i, 0, n - 1);
}

// The first and last tap of position i that count, relative to it: all of -radius to radius, but with
// zero-weight those inside, of which tap 0 is one.
ivec2 borderTaps(int i, int n, int radius, int mode) {
  return mode == borderZeroWeight ? ivec2(max(-radius, -i), min(radius, n - 1 - i)) : ivec2(-radius, radius);
}

// With valid-only: this pixel is nearer than `radius` to an edge and is unchanged. `extent` is the whole
// image's.
bool borderKeeps(ivec2 position, ivec2 extent, int radius, int mode) {
  ivec2 toEdge = min(position, extent - 1 - position);
  return mode == borderValidOnly && min(toEdge.x, toEdge.y) < radius;
}
