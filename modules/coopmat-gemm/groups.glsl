// Products by matrices of 16x16, each held by a group of 32 invocations, and how their sums become elements of the output. Kernels
// define CELLS, how much shared memory they need, before they include this; `cells` is theirs until the end.

#if HALF
#define ACCUMULATE_F16
#endif
#include "shared/matrix.glsl"
#include "finish.glsl"

const int groups = int(gl_WorkGroupSize.y);
const int sumStride = HALF == 1 ? 2 : 4;  // cells of a row of sums
const int sumCells = 16 * sumStride;
shared uvec4 cells[(CELLS) > groups * sumCells ? (CELLS) : groups * sumCells];

float sumAt(int first, int row, int column) {
#if HALF
  return unpackHalf2x16(cells[first + row * sumStride + column / 8][column / 2 % 4])[column % 2];
#else
  return uintBitsToFloat(cells[first + row * sumStride + column / 4][column % 4]);
#endif
}

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

// The sums of a matrix that lies in shared memory, row by row: of each invocation half a row.
void finishMatrix(int first, Place at) {
  int lane = int(gl_LocalInvocationIndex) % MATRIX_LANES;
  int row = lane / 2, column = lane % 2 * 8;
  Place own = Place(at.batch, at.row + row, at.column + column);
  if (columns % 8 == 0 && isInside(own)) {
    float v[8];
    for (int i = 0; i < 8; ++i) { v[i] = finished(Place(own.batch, own.row, own.column + i), sumAt(first, row, column + i)); }
    storeEight(indexOf(own), v);
  } else {
    for (int i = 0; i < 8; ++i) { finish(Place(own.batch, own.row, own.column + i), sumAt(first, row, column + i)); }
  }
}

// Whether sums, times alpha, are the output, matrix by matrix, so that they needn't go through shared memory.
const bool areWhole = !has_c && !has_bias && RELU == 0 && rows % 16 == 0 && columns % 16 == 0;

#if format_output == format_f16
#define STORE_MATRIX(m, index) MATRIX_STORE_H(quads_output.data, index / 8, m, matrixRows, columns / 8)
#define asStored(sums) matrixToHalf(matrixScale(sums, param.alpha))
#define MatrixStored MatrixH
#else
#define STORE_MATRIX(m, index) MATRIX_STORE_C(quads_output.data, index / 4, m, matrixRows, columns / 4)
#define asStored(sums) matrixScale(sums, param.alpha)
#define MatrixStored MatrixC
#endif
const bool areStorable = areWhole && (format_output == format_f16 || HALF == 0);

// Called by the whole workgroup, for a matrix of each group.
#define FINISH_MATRIX(sums, at)                                                          \
  if (areStorable) {                                                                     \
    if (isInside(at)) {                                                                  \
      int index = indexOf(at);                                                           \
      MatrixStored m = asStored(sums);                                                   \
      STORE_MATRIX(m, index);                                                            \
    }                                                                                    \
  } else {                                                                               \
    barrier();                                                                           \
    MATRIX_STORE_C(cells, matrixGroup() * sumCells, sums, matrixRows, sumStride);        \
    barrier();                                                                           \
    finishMatrix(matrixGroup() * sumCells, at);                                          \
  }

#define CLEAR(sums)                                                                                       \
  [[unroll]] for (int i = 0; i < matricesA; ++i) {                                                        \
    [[unroll]] for (int j = 0; j < matricesB; ++j) { sums[i][j] = matrixFill(0.0); }                      \
  }

// A matrix of a factor, whose first number is in array[element] and whose next line, or number of all lines, is `stride` on.
#define LOAD_MATRIX_A(m, array, element, stride)                           \
  {                                                                        \
    if (layoutA == inFragments) {                                          \
      MATRIX_LOAD_FRAGMENT_A(m, array, element);                           \
    } else {                                                               \
      MATRIX_LOAD_A(m, array, element, orderA, stride);                    \
    }                                                                      \
  }
#define LOAD_MATRIX_B(m, array, element, stride)                           \
  {                                                                        \
    if (layoutB == inFragments) {                                          \
      MATRIX_LOAD_FRAGMENT_B(m, array, element);                           \
    } else {                                                               \
      MATRIX_LOAD_B(m, array, element, orderB, stride);                    \
    }                                                                      \
  }

const int orderA = layoutA == byDepth ? matrixColumns : matrixRows;
const int orderB = layoutB == byDepth ? matrixRows : matrixColumns;
