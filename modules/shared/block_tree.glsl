// Blocks of 8x8 pixels by an invocation each: on CPUs a barrier takes longer than a load. Cells are joined in the order
// in which a workgroup of block_cells.glsl halves them, for the same bits. Before it: Cell, a type; Cell cellAt(ivec2);
// Cell joined(Cell, Cell). Variants state `pixels = [8, 8]`.
#extension GL_EXT_control_flow_attributes : enable
#include "shared/blocks.glsl"

Cell pairAt(ivec2 p) { return joined(cellAt(p), cellAt(p + ivec2(0, 4))); }
Cell fourAt(ivec2 p) { return joined(pairAt(p), pairAt(p + ivec2(0, 2))); }
Cell columnAt(ivec2 p) { return joined(fourAt(p), fourAt(p + ivec2(0, 1))); }

Cell blockAt(ivec2 first) {
  Cell pair, four, eight, sum;
  [[dont_unroll]] for (int k = 0; k < blockSide; ++k) {
    sum = columnAt(first + ivec2((k & 1) << 2 | (k & 2) | k >> 2, 0));
    if ((k & 1) == 0) {
      pair = sum;
    } else {
      sum = joined(pair, sum);
      if ((k & 2) == 0) {
        four = sum;
      } else {
        sum = joined(four, sum);
        if (k < blockSide / 2) { eight = sum; }
      }
    }
  }
  return joined(eight, sum);
}

// The first pixel of an invocation's block.
ivec2 firstOf(Pixel p) { return (p.position - partOrigin()) * blockSide + partOrigin(); }
