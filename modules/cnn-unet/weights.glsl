// Weights as matrices hold them: tiles of 16 x 16 from pairs of inputs to columns, one for each output.

#include "arithmetic.glsl"

#if USES_MATRICES
shared uint columns[int(gl_WorkGroupSize.y) * 128];
#endif

void run(Pixel unused) {
#if USES_MATRICES
  int group = matrixGroup(), lane = int(gl_LocalInvocationID.x);
  int tile = min(int(gl_WorkGroupID.y) * int(gl_WorkGroupSize.y) + group, tiles - 1);
  uvec4 words = quads_weights.data[tile * 32 + lane];
  [[unroll]] for (int i = 0; i < 4; ++i) {
    columns[group * 128 + (lane % 4 * 4 + i) * 8 + lane / 4] = words[i];
  }
  MATRIX_BARRIER;
#if defined(MATRIX_HOLDS_EIGHT)
  MatrixB m;
  MATRIX_LOAD_B(m, columns, group * 128, matrixColumns, 8);
  MATRIX_STORE_FRAGMENT_B(quads_packed.data, tile * 32, m);
#else
  int from = group * 128 + 4 * lane;
  quads_packed.data[tile * 32 + lane] =
      uvec4(columns[from], columns[from + 1], columns[from + 2], columns[from + 3]);
#endif
#endif
}
