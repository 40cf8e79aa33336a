// Copies a factor into panels whose matrices are fragments, as a group of 32 invocations holds them
// (shared/matrix.glsl). The native code says whether it is b.

#include "shared/matrix.glsl"
#include "pack.glsl"

#define GROUPS 4
shared uvec4 cells[GROUPS * 32];

void run(Pixel pixel) {
  int lane = int(gl_LocalInvocationID.x);
  int first = matrixGroup() * 32;
  int panel = min(int(gl_WorkGroupID.y) * GROUPS + matrixGroup(), BATCH * panels - 1);
  cells[first + lane] = packed(panel, int(gl_WorkGroupID.x) * 16 + lane / 2, lane % 2 * 8);
  barrier();
  int to = panel * lines16 * 2 + int(gl_WorkGroupID.x) * 32;
#if defined(MATRIX_HOLDS_EIGHT) && IS_B
  MatrixB m;
  MATRIX_LOAD_B(m, cells, first, matrixColumns, 2);
  MATRIX_STORE_FRAGMENT_B(quads_output.data, to, m);
#elif defined(MATRIX_HOLDS_EIGHT)
  MatrixA m;
  MATRIX_LOAD_A(m, cells, first, matrixRows, 2);
  MATRIX_STORE_FRAGMENT_A(quads_output.data, to, m);
#else
  quads_output.data[to + lane] = cells[first + lane];
#endif
}
