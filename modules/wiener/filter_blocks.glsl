// A group of blocks, by a workgroup of 8 x height: an invocation has a column or a row of some blocks, or the
// coefficients of all blocks at some frequency.

#include "shared.glsl"

#define Value float
#include "transform.glsl"
#include "spectrum.glsl"
#include "sums.glsl"

const int ROW = BLOCK + 1;  // so that neither columns nor rows meet in a bank
const int STRIDE = BLOCK * ROW;

shared float blocks[GROUP * STRIDE];
shared uint squares[3];

float valueAt(int place, ivec2 extent, int plane, int x, int y) {
  ivec2 at = min(ivec2(place & 0xffff, place >> 16) + ivec2(x, y), extent - 1);
  return float(array_planes.data[(plane * extent.y + at.y) * extent.x + at.x]);
}

#define EACH_BLOCK(k) int k = int(gl_LocalInvocationID.y); k < GROUP; k += int(gl_WorkGroupSize.y)

void loadColumns(int first, ivec2 extent, int plane) {
  int x = int(gl_LocalInvocationID.x);
  for (EACH_BLOCK(k)) {
    int place = int(array_places.data[first + k]);
    float v[8];
    [[unroll]] for (int y = 0; y < 8; ++y) { v[y] = valueAt(place, extent, plane, x, y); }
    transformEight(v);
    [[unroll]] for (int y = 0; y < 8; ++y) { blocks[k * STRIDE + y * ROW + x] = v[y]; }
  }
}

#define ROWS(change)                                                                  \
  for (EACH_BLOCK(k)) {                                                               \
    float v[8];                                                                       \
    int first = k * STRIDE + int(gl_LocalInvocationID.x) * ROW;                       \
    [[unroll]] for (int x = 0; x < 8; ++x) { v[x] = blocks[first + x]; }              \
    change(v);                                                                        \
    [[unroll]] for (int x = 0; x < 8; ++x) { blocks[first + x] = v[x]; }              \
  }

void transformRows() { ROWS(transformEight) }
void restoreRows() { ROWS(restoreEight) }

// By the first 64 invocations, one for each frequency.
void loadCoefficients(out float v[GROUP], int at) {
  [[unroll]] for (int k = 0; k < GROUP; ++k) { v[k] = blocks[k * STRIDE + at]; }
}

void addColumns(int first, ivec2 extent, int c) {
  int x = int(gl_LocalInvocationID.x), plane = extent.x * extent.y;
  float weight = weightOf(float(squares[0]) / squaresOne);
  for (EACH_BLOCK(k)) {
    int place = int(array_places.data[first + k]);
    float n[8];
    [[unroll]] for (int y = 0; y < 8; ++y) { n[y] = blocks[k * STRIDE + y * ROW + x]; }
    restoreEight(n);
    [[unroll]] for (int y = 0; y < 8; ++y) {
      ivec2 at = ivec2(place & 0xffff, place >> 16) + ivec2(x, y);
      if (all(lessThan(at, extent))) {
        float w = weightAt(weight, x, y);
        addValue(at.y * extent.x + at.x, plane, c, w, n[y]);
        if (c == 0) { addWeight(at.y * extent.x + at.x, plane, w); }
      }
    }
  }
}

void run(Pixel unused) {
  ivec2 extent = extentOfPlanes(), groups = extentOfGroups(), group = ivec2(gl_WorkGroupID.xy);
  int first = (group.y * groups.x + group.x) * GROUP, self = int(gl_LocalInvocationIndex);
  Spectrum s = spectrumOfNoise();
  int at = self / BLOCK * ROW + self % BLOCK;
  if (self < 3) { squares[self] = 0u; }
  for (int c = 0; c < 3; ++c) {
    float pilot[GROUP];
    loadColumns(first, extent, c);
    barrier();
    transformRows();
    barrier();
    if (self < PIXELS) {
      float variance = varianceAt(s, c, self % BLOCK, self / BLOCK);
      loadCoefficients(pilot, at);
      float sum = squaresOf(pilot, variance);
      atomicAdd(squares[c], uint(wholeSquares(sum, variance / varianceAt(s, c, 0, 0))));
    }
    barrier();
    loadColumns(first, extent, c + 3);
    barrier();
    transformRows();
    barrier();
    if (self < PIXELS) {
      float v[GROUP];
      loadCoefficients(v, at);
      filterGroup(v, pilot, varianceAt(s, c, self % BLOCK, self / BLOCK));
      [[unroll]] for (int k = 0; k < GROUP; ++k) { blocks[k * STRIDE + at] = v[k]; }
    }
    barrier();
    restoreRows();
    barrier();
    addColumns(first, extent, c);
    barrier();
  }
}
