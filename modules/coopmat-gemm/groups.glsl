// Products by matrices of 16x16, each held by a group of 32 invocations, and how their sums become elements
// of the output. Kernels define CELLS, their shared memory, before they include this; they may use `cells`
// until the end.

#if HALF
#define ACCUMULATE_F16
#endif
#include "shared/matrix.glsl"
#include "finish.glsl"

const int groups = int(gl_WorkGroupSize.y);
const int sumStride = HALF == 1 ? 2 : 4;  // cells of a row of a matrix of sums

// A strip: as many matrices of sums side by side as have eight cells in a row, so that stores are contiguous
// in memory. Rows have one cell more, so that they lie in different banks.
const int strip = 8 / sumStride;
const int stripStride = 9;
const int stripCells = 16 * stripStride;
shared uvec4 cells[(CELLS) > groups * stripCells ? (CELLS) : groups * stripCells];

// Eight elements in a row, which begin at a multiple of eight.
void storeEight(int index, float v[8]) {
#if format_output == format_f16
  quads_output.data[index / 8] = uvec4(packHalf2x16(vec2(v[0], v[1])), packHalf2x16(vec2(v[2], v[3])),
                                       packHalf2x16(vec2(v[4], v[5])), packHalf2x16(vec2(v[6], v[7])));
#else
  quads_output.data[index / 4] = floatBitsToUint(vec4(v[0], v[1], v[2], v[3]));
  quads_output.data[index / 4 + 1] = floatBitsToUint(vec4(v[4], v[5], v[6], v[7]));
#endif
}

// Eight sums in a row, from the beginning of a cell.
void finishEight(int cell, Place at) {
  float v[8];
#if HALF
  [[unroll]] for (int i = 0; i < 4; ++i) {
    vec2 two = unpackHalf2x16(cells[cell][i]);
    v[2 * i] = two.x;
    v[2 * i + 1] = two.y;
  }
#else
  [[unroll]] for (int i = 0; i < 8; ++i) { v[i] = uintBitsToFloat(cells[cell + i / 4][i % 4]); }
#endif
  if (columns % 8 != 0) {
    [[unroll]] for (int i = 0; i < 8; ++i) { finish(Place(at.batch, at.row, at.column + i), v[i]); }
  } else if (isInside(at)) {
    [[unroll]] for (int i = 0; i < 8; ++i) { v[i] = finished(Place(at.batch, at.row, at.column + i), v[i]); }
    storeEight(indexOf(at), v);
  }
}

// The group's strip of `count` matrices.
void finishStrip(int count, Place at) {
  int lane = int(gl_LocalInvocationIndex) % MATRIX_LANES;
  for (int n = 0; n < count; ++n) {
    int eight = lane + n * MATRIX_LANES;
    int row = eight / (2 * count), column = eight % (2 * count);
    finishEight(matrixGroup() * stripCells + row * stripStride + column * sumStride / 2,
                Place(at.batch, at.row + row, at.column + 8 * column));
  }
}

// Stores the sums of each group's matricesA x matricesB matrices, from `at` on. Called by the whole
// workgroup. Loops over `sums` are plain, because otherwise a driver may keep it in memory.
#define FINISH(sums, at)                                                                                \
  barrier();                                                                                            \
  [[unroll]] for (int i = 0; i < matricesA; ++i) {                                                      \
    [[unroll]] for (int j = 0; j < matricesB; ++j) {                                                    \
      MATRIX_STORE_C(cells, matrixGroup() * stripCells + j % strip * sumStride, sums[i][j], matrixRows, \
          stripStride);                                                                                 \
      if (j % strip == strip - 1 || j == matricesB - 1) {                                               \
        MATRIX_BARRIER;                                                                                 \
        finishStrip(j % strip + 1, Place(at.batch, at.row + 16 * i, at.column + 16 * (j - j % strip))); \
        MATRIX_BARRIER;                                                                                 \
      }                                                                                                 \
    }                                                                                                   \
  }

#define CLEAR(sums)                                                                                       \
  [[unroll]] for (int i = 0; i < matricesA; ++i) {                                                        \
    [[unroll]] for (int j = 0; j < matricesB; ++j) { sums[i][j] = matrixFill(0.0); }                      \
  }

const int orderA = layoutA == byDepth ? matrixColumns : matrixRows;
const int orderB = layoutB == byDepth ? matrixRows : matrixColumns;
