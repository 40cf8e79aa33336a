// Two groups of lanes, each 32 rows of the product, in blocks of R x C matrices. The factors were loaded
// before a barrier behind which their memory is overwritten.

#if HALF
#define ACCUMULATE_F16
#endif
#include "shared/matrix.glsl"

const int rows = 64, inner = 48, columns = 48;
const int orderA = COLUMNS_A == 1 ? matrixColumns : matrixRows;
const int orderB = COLUMNS_B == 1 ? matrixColumns : matrixRows;
const int orderOutput = COLUMNS_OUTPUT == 1 ? matrixColumns : matrixRows;

// Halves of a row, or column; rows in shared memory have 8 more than they need.
const int lengthA = COLUMNS_A == 1 ? rows : inner;
const int lengthB = COLUMNS_B == 1 ? inner : columns;
#if MEMORY < 2
const int padding = 0;
#else
const int padding = 8;
#endif
#if MEMORY == 0
#define NUMBERS_A array_words_a.data
#define NUMBERS_B array_words_b.data
const int per = 2;
#elif MEMORY == 1
#define NUMBERS_A vectors_quads_a.data
#define NUMBERS_B vectors_quads_b.data
const int per = 8;
#elif MEMORY == 2
#define NUMBERS_A sharedA
#define NUMBERS_B sharedB
const int per = 8;
shared uvec4 sharedA[64 * 56 / 8];
shared uvec4 sharedB[48 * 56 / 8];
#else
#define NUMBERS_A sharedA
#define NUMBERS_B sharedB
const int per = 1;
shared float16_t sharedA[64 * 56];
shared float16_t sharedB[48 * 56];
#endif
const int strideA = (lengthA + padding) / per, strideB = (lengthB + padding) / per;

#if HALF
shared float16_t sharedBias[48];
#else
shared uvec4 sharedBias[12];
#endif
shared uvec4 stagedRows[R * C * 64];
shared float16_t stagedColumns[R * C * 512];
#if !HALF && MEMORY < 2
shared uvec4 stagedFloats[R * C * 128];
#endif

void bring(int lane) {
  for (int i = lane; i < 48; i += 64) {
#if HALF
    sharedBias[i] = float16_t(array_bias.data[i]);
#else
    sharedBias[i / 4][i % 4] = floatBitsToUint(array_bias.data[i]);
#endif
  }
#if MEMORY == 2
  for (int i = lane; i < rows * inner / 8; i += 64)
    sharedA[i / (lengthA / 8) * strideA + i % (lengthA / 8)] = vectors_quads_a.data[i];
  for (int i = lane; i < inner * columns / 8; i += 64)
    sharedB[i / (lengthB / 8) * strideB + i % (lengthB / 8)] = vectors_quads_b.data[i];
#elif MEMORY == 3
  for (int i = lane; i < rows * inner; i += 64)
    sharedA[i / lengthA * strideA + i % lengthA] =
        float16_t(unpackHalf2x16(array_words_a.data[i / 2])[i % 2]);
  for (int i = lane; i < inner * columns; i += 64)
    sharedB[i / lengthB * strideB + i % lengthB] =
        float16_t(unpackHalf2x16(array_words_b.data[i / 2])[i % 2]);
#endif
}

void spoil(int lane) {
#if MEMORY == 2
  for (int i = lane; i < 64 * 56 / 8; i += 64) sharedA[i] = uvec4(0x7fff7fff);
  for (int i = lane; i < 48 * 56 / 8; i += 64) sharedB[i] = uvec4(0x7fff7fff);
#elif MEMORY == 3
  for (int i = lane; i < 64 * 56; i += 64) sharedA[i] = float16_t(1000.0);
  for (int i = lane; i < 48 * 56; i += 64) sharedB[i] = float16_t(1000.0);
#endif
}

int startA(int row, int k) { return (COLUMNS_A == 1 ? k * strideA + row / per : row * strideA + k / per); }
int startB(int k, int column) {
  return (COLUMNS_B == 1 ? column * strideB + k / per : k * strideB + column / per);
}

// The block of matrices at a place, and its result.
void block(int lane, int row, int column) {
  const int group = matrixGroup();
  MatrixC sum[R][C];
  bring(lane);
  barrier();
  [[unroll]] for (int r = 0; r < R; ++r)
    [[unroll]] for (int c = 0; c < C; ++c) {
#if HALF
      MATRIX_LOAD_C(sum[r][c], sharedBias, column + 16 * c, matrixRows, 0);
#elif MEMORY < 2
      MATRIX_LOAD_C(sum[r][c], array_bias.data, column + 16 * c, matrixRows, 0);
#else
      MATRIX_LOAD_C(sum[r][c], sharedBias, (column + 16 * c) / 4, matrixRows, 0);
#endif
    }
  for (int k = 0; k < inner; k += 16) {
    MatrixA a[R];
    MatrixB b[C];
    bring(lane);
    barrier();
    [[unroll]] for (int r = 0; r < R; ++r)
        MATRIX_LOAD_A(a[r], NUMBERS_A, startA(row + 16 * r, k), orderA, strideA);
    [[unroll]] for (int c = 0; c < C; ++c)
        MATRIX_LOAD_B(b[c], NUMBERS_B, startB(k, column + 16 * c), orderB, strideB);
    barrier();
    spoil(lane);
    barrier();
    [[unroll]] for (int r = 0; r < R; ++r)
      [[unroll]] for (int c = 0; c < C; ++c) sum[r][c] = matrixMultiplyAdd(a[r], b[c], sum[r][c]);
  }
  [[unroll]] for (int r = 0; r < R; ++r)
    [[unroll]] for (int c = 0; c < C; ++c) {
      const int y = row + 16 * r, x = column + 16 * c, staged = (group * R + r) * C + c;
      const MatrixC scaled = matrixScale(sum[r][c], 0.5);
      const MatrixH halves = matrixToHalf(scaled);
#if HALF
      MATRIX_STORE_C(stagedColumns, staged * 256, scaled, orderOutput, 16);
#else
      const int at = COLUMNS_OUTPUT == 1 ? x * rows + y : y * columns + x;
      MATRIX_STORE_C(array_output.data, at, scaled, orderOutput, COLUMNS_OUTPUT == 1 ? rows : columns);
#if MEMORY < 2
      MATRIX_STORE_C(stagedFloats, staged * 64, scaled, matrixRows, 4);
#endif
#endif
      MATRIX_STORE_H(array_halves.data, (y * columns + x) / 2, halves, matrixRows, columns / 2);
      MATRIX_STORE_H(stagedRows, staged * 32, halves, matrixRows, 2);
    }
}

// Numbers of both groups' blocks, row by row: i is one of 32 * R * C * 16.
void unstage(int lane, int firstRow, int column, int part) {
  for (int i = lane; i < 2 * R * C * 256; i += 64) {
    const int staged = i / 256, r = i / 16 % 16, c = i % 16;
    const int y = firstRow + staged / (R * C) * 32 + staged / C % R * 16 + r,
              x = column + staged % C * 16 + c;
    const float fromRows = unpackHalf2x16(stagedRows[staged * 32 + r * 2 + c / 8][c / 2 % 4])[c % 2];
    const float fromColumns = float(stagedColumns[staged * 256 + c * 16 + r]);
    if (part == 0) {
#if HALF
      const int at = COLUMNS_OUTPUT == 1 ? c * 16 + r : r * 16 + c;
      array_output.data[COLUMNS_OUTPUT == 1 ? x * rows + y : y * columns + x] =
          float(stagedColumns[staged * 256 + at]);
#endif
      array_copies.data[y * columns + x] = fromRows;
    } else {
      array_copies.data[part * rows * columns + y * columns + x] = fromColumns;
    }
  }
}

// Stored row by row, from there to float16_t, column by column; `twice` as much of it.
void again(bool twice) {
  [[unroll]] for (int r = 0; r < R; ++r)
    [[unroll]] for (int c = 0; c < C; ++c) {
      const int staged = (matrixGroup() * R + r) * C + c;
      MatrixH halves;
      MATRIX_LOAD_H(halves, stagedRows, staged * 32, matrixRows, 2);
      if (twice) {
        MatrixC sum;
#if HALF
        MATRIX_LOAD_C(sum, stagedRows, staged * 32, matrixRows, 2);
        halves = matrixToHalf(matrixScale(sum, 2.0));
#elif MEMORY < 2
        MATRIX_LOAD_C(sum, stagedFloats, staged * 64, matrixRows, 4);
        halves = matrixToHalf(matrixScale(sum, 2.0));
#endif
      }
      MATRIX_STORE_H(stagedColumns, staged * 256, halves, matrixColumns, 16);
    }
}

void run(Pixel p) {
  const int lane = int(gl_LocalInvocationIndex);
  for (int row = 0; row < 32; row += 16 * R)
    for (int column = 0; column < columns; column += 16 * C) {
      block(lane, matrixGroup() * 32 + row, column);
      barrier();
      unstage(lane, row, column, 0);
      barrier();
      again(false);
      barrier();
      unstage(lane, row, column, 1);
      barrier();
      again(true);
      barrier();
      unstage(lane, row, column, 2);
      barrier();
    }
}
