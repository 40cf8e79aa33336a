// A separate pass, for unfused layers: each group of 32 makes fragments of its inputs, and the ring around a
// picture's parts. The including file defines computed(block, row, column), a fragment's eight channels of
// each invocation; the native code defines blocks.

#define FINISHED(eight) (eight)
#include "keep.glsl"

uvec4 computed(int block, int row, int column);

// The opposite of KEEP_EIGHT: loads eight channels of pixel `lane` / 2 of a fragment in memory.
uvec4 inRows(uvec4 held) {
#if USES_MATRICES && defined(MATRIX_HOLDS_EIGHT)
  MatrixA m;
  MATRIX_SET_EIGHT(m, MATRIX_SET_A, held);
  MATRIX_BARRIER;
  MATRIX_STORE_A(spare, groupOf() * FRAGMENT_CELLS, m, matrixRows, 2);
  MATRIX_BARRIER;
  return spare[groupOf() * FRAGMENT_CELLS + laneOf()];
#else
  return held;
#endif
}

DEFINE_RING(outputAt, isAtEdge, keepRing, quads_output.data, across, down)

void run(Pixel unused) {
  int at = workgroupAt(1) * int(gl_WorkGroupSize.y) + groupOf();
  int block = at / (across * down), row = at / across % down, column = at % across;
  if (block >= blocks) { return; }
  uvec4 eight = computed(block, row, column);
  if (!isInPicture(positionOf(row, column, laneOf() / 2))) { eight = uvec4(0u); }
  KEEP_EIGHT(quads_output.data, outputAt(block, row, column), laneOf(), eight)
  if (isAtEdge(row, 1, column)) { keepRing(block, row, column, eight); }
}
