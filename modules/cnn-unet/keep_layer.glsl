// Stores a layer's results from shared memory: the output, and the output pooled if a layer reads it so.

DEFINE_RING(outputAt, isAtOutputEdge, keepOutputRing, quads_output.data, across, down)

const int fragments = ROWS * WIDE;  // of a group
bool isOfLayer(Place own, int i) {
  return outputBlocks % WIDE == 0 || own.block + i % WIDE < outputBlocks;
}
bool isKept(Place own, int i) {
  int row = own.row + i / WIDE;
  return row >= own.firstRow && row < down && isOfLayer(own, i);
}

void keepOutput(Place own) {
  int cell = cellOf(groupOf(), 0, 0);
  [[unroll]] for (int i = 0; i < fragments; ++i) {
    int row = own.row + i / WIDE;
    if (isKept(own, i)) {
      KEEP_CELLS(quads_output.data, outputAt(own.block + i % WIDE, row, own.column), cells,
                 cell + FRAGMENT_CELLS * i)
    }
  }
  if (!isAtOutputEdge(own.row, ROWS, own.column)) { return; }
  for (int i = 0; i < fragments; ++i) {
    int row = own.row + i / WIDE;
    if (isKept(own, i)) {
      keepOutputRing(own.block + i % WIDE, row, own.column, cells[cell + FRAGMENT_CELLS * i + laneOf()]);
    }
  }
}

#if IS_POOLED
#include "larger.glsl"
DEFINE_RING(pooledAt, isAtPooledEdge, keepPooledRing, quads_pooled.data, (across / 2), (down / 2))

// Half of the fragments of an even column's group, together with the next column's group.
void keepPooled(Place own) {
  int group = groupOf() % groups, column = own.column / 2;
  int left = cellOf(group / 2 * 2, 0, 0) + laneOf(), below = WIDE * FRAGMENT_CELLS;
  [[unroll]] for (int half_ = 0; half_ < (fragments / 2 + 1) / 2; ++half_) {
    int i = 2 * half_ + group % 2, row = (own.row + i / WIDE * 2) / 2;
    if (i >= fragments / 2 || 2 * row < own.firstRow || 2 * row >= down || !isOfLayer(own, i)) { continue; }
    int a = left + (i / WIDE * 2 * WIDE + i % WIDE) * FRAGMENT_CELLS, b = a + GROUP_CELLS;
    uvec4 eight = larger(larger(cells[a], cells[a + below]), larger(cells[b], cells[b + below]));
    KEEP_EIGHT(quads_pooled.data, pooledAt(own.block + i % WIDE, row, column), laneOf(), eight)
    if (isAtPooledEdge(row, 1, column)) { keepPooledRing(own.block + i % WIDE, row, column, eight); }
  }
}
#endif

// Zeros outside the picture.
void clearOutside(Place own) {
  if (width == 4 * across && height == 4 * down) { return; }
  [[unroll]] for (int i = 0; i < fragments; ++i) {
    if (!isInPicture(positionOf(own.row + i / WIDE, own.column, laneOf() / PIXEL_CELLS))) {
      cells[cellOf(groupOf(), 0, i) + laneOf()] = uvec4(0u);
    }
  }
}

#if defined(LANES)
#define EACH_CELL(what) \
  EACH_COLUMN(Place own = ownPlace(); laneNow = lane(); do { what } while ((laneNow += LANES) < FRAGMENT_CELLS);)
void keepFragments(Place unused) {
  subgroupBarrier();
  EACH_CELL(clearOutside(own);)
  subgroupBarrier();
#if IS_POOLED
  EACH_CELL(keepOutput(own); keepPooled(own);)
#else
  EACH_CELL(keepOutput(own);)
#endif
}
#else
// All invocations of a workgroup call it.
void keepFragments(Place own) {
  MATRIX_BARRIER;
  if (own.part == 0) { clearOutside(own); }
#if IS_POOLED
  barrier();
#else
  MATRIX_BARRIER;
#endif
  if (own.part > 0) { return; }
  keepOutput(own);
#if IS_POOLED
  keepPooled(own);
#endif
}
#endif
