// Products of 16x16 matrices of halves, 64 a step, in SUMS independent sums (Vannson 2023, section 4.2, has
// one). Every other product undoes the previous one, so that no sum grows.
#include "shared/matrix.glsl"

layout(binding = 0) uniform Parameters { uint count; };
layout(std430, binding = 1) readonly buffer Factors { uvec4 factors[96]; };  // A, B, -B
layout(std430, binding = 2) buffer Result { uint steps; uint unused[3]; uvec4 results[]; };

const int quadsOfSum = 64;  // uvec4: 16 rows of 16 floats, 4 in each

void run() {
  MatrixA a;
  MatrixB plus, minus;
  MATRIX_LOAD_A(a, factors, 0, matrixRows, 2);
  MATRIX_LOAD_B(plus, factors, 32, matrixRows, 2);
  MATRIX_LOAD_B(minus, factors, 64, matrixRows, 2);
  MatrixC sums[SUMS];
  [[unroll]] for (int s = 0; s < SUMS; ++s) {
    sums[s] = matrixFill(float(s));
  }
  uint i = 0;
  for (; i < count; ++i) {
    [[unroll]] for (int products = 0; products < 64; products += 2 * SUMS) {
      [[unroll]] for (int s = 0; s < SUMS; ++s) {
        sums[s] = matrixMultiplyAdd(a, plus, sums[s]);
      }
      [[unroll]] for (int s = 0; s < SUMS; ++s) {
        sums[s] = matrixMultiplyAdd(a, minus, sums[s]);
      }
    }
  }
  if (gl_WorkGroupID.x == 0) {
    [[unroll]] for (int s = 0; s < SUMS; ++s) {
      MATRIX_STORE_C(results, (matrixGroup() * SUMS + s) * quadsOfSum, sums[s], matrixRows, 4);
    }
  }
  if (gl_GlobalInvocationID.x == 0) {
    steps = i;
  }
}
