// A block of the product by each workgroup, as one matrix that all of it holds: the driver brings both factors, DEPTH of p at a time,
// through shared memory as it sees fit.

#if HALF
#define ACCUMULATE_F16
#endif
#define blockRows (Y * int(gl_WorkGroupSize.y))
#define blockColumns (32 * X)
#define blockDepth DEPTH
#include "shared/matrix_workgroup.glsl"
#include "finish.glsl"
#include "tensors.glsl"

void run(Pixel pixel) {
  array_grid.data[0] = 0.0;
  Place at = ownPlace(blockColumns, blockRows);
  if (at.row >= rows) { return; }
  BlockC sums = blockOf(BLOCK_NUMBER(0.0));
  for (int k = 0; k < inner16; k += DEPTH) {
    BlockA a;
    BlockB b;
    LOAD_A(a, at, k)
    LOAD_B(b, at, k)
    sums = blockMultiplyAdd(a, b, sums);
  }
  FINISH_BLOCK(sums, at)
}
