// Each workgroup computes a block of the product as one matrix that the whole workgroup holds. Tiles of the
// factors, DEPTH of p at a time, are such matrices, too: the driver loads them through shared memory. Loading
// a tile ahead of the multiplication was slower.

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
