// Matrices of 16x16 directly from the device's memory: Vannson 2023, section 4.3.3 (coopmat.comp). We differ:
// a group has two matrices of sums, which share a matrix of a.

#define CELLS 0
#include "groups.glsl"
const int matricesA = 1, matricesB = 2;

// Quads from a line to the next in memory; from one number of all lines to the next, if it is stored by
// depth.
const int strideA = (layoutA == byLines ? inner16 : layoutA == byDepth ? rows16 : 16) / 8;
const int strideB = (layoutB == byLines ? inner16 : layoutB == byDepth ? columns16 : 16) / 8;

// A matrix of a factor: its first number is in array[element], and its next line (or, if stored by depth, its
// next number of all lines) follows `stride` later.
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

void run(Pixel pixel) {
  Place at = placeAt(int(gl_WorkGroupID.x) * 32, (int(gl_WorkGroupID.y) * groups + matrixGroup()) * 16);
  int row = min(at.row, rows16 - 16);
  int second = min(at.column + 16, columns16 - 16);
  MatrixC sums[matricesA][matricesB];
  CLEAR(sums)
  for (int k = 0; k < inner16; k += 16) {
    MatrixA a;
    MatrixB b;
    LOAD_MATRIX_A(a, quads_a.data, placeInA(at.batch, row, k) / 8, strideA);
    LOAD_MATRIX_B(b, quads_b.data, placeInB(at.batch, at.column, k) / 8, strideB);
    sums[0][0] = matrixMultiplyAdd(a, b, sums[0][0]);
    LOAD_MATRIX_B(b, quads_b.data, placeInB(at.batch, second, k) / 8, strideB);
    sums[0][1] = matrixMultiplyAdd(a, b, sums[0][1]);
  }
  FINISH(sums, at)
}
