// A layer: a 3x3 convolution with bias over other layers, unchanged, pooled, or upsampled, one after the
// other. Each group of 32 invocations computes ROWS fragments below each other (lattice.glsl), WIDE blocks of
// 16 channels of each; SPLIT groups of a workgroup share the blocks of the input and add up.
//
// Weights are tiles of 16 x 16: [block of outputs][block of inputs][tap]. Taps are [column][row]. An
// upsampled layer has each value four times, so nine taps see four values: for each of the four pixels of a
// value there are 2 x 2 taps, sums of the nine: [column's parity][column][row's parity][row]. That is 4/9 of
// the products.

#if defined(LANES)
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#endif
#include "lattice.glsl"

#if !USES_MATRICES
// An invocation adds up all blocks, so fewer workgroups than dispatched do the work.
#undef SPLIT
#define SPLIT 1
#endif

struct Place {
  int row, column;  // of the group's first fragment
  int firstRow;     // rows before it belong to another group
  int block;        // its first block of channels
  int part;         // of the inputs
};

// The number of groups with their own columns. Two columns of a group are pooled.
#if defined(LANES)
#define COLUMNS (1 + IS_POOLED)
const int groups = int(gl_WorkGroupSize.x) / LANES * COLUMNS;
#define FIRST_GROUP (int(gl_LocalInvocationID.x) / LANES * COLUMNS)
// Conditions are at the end of loops: lavapipe jumps nowhere else, and would go through the body once more.
#define EACH_COLUMN(what) \
  groupNow = FIRST_GROUP; \
  do {                    \
    what                  \
  } while (++groupNow < FIRST_GROUP + COLUMNS);
#else
const int groups = int(gl_WorkGroupSize.y) / SPLIT;
#endif

Place ownPlace() {
#if defined(LANES)
  int group = groupOf();
#else
  int group = int(gl_LocalInvocationID.y);
#endif
  int at = workgroupAt((outputBlocks + WIDE - 1) / WIDE) * groups + group % groups;
  Place own;
  own.column = at % across;
  own.firstRow = at < (down + ROWS - 1) / ROWS * across ? at / across * ROWS : down;
  own.row = max(min(own.firstRow, down - ROWS), 0);
  own.block = int(gl_WorkGroupID.y) * ((outputBlocks + WIDE - 1) / WIDE) / int(gl_NumWorkGroups.y) * WIDE;
  own.part = group / groups;
  return own;
}

// A group's results, in shared memory: fragments [row][block], pixel after pixel; in floats for the last
// layer.
#define SUM_CELLS 64  // of a fragment's sums
#if IS_LAST
#define RESULT_CELLS SUM_CELLS
#else
#define RESULT_CELLS FRAGMENT_CELLS
#endif
#define GROUP_CELLS (ROWS * WIDE * RESULT_CELLS)
#define PART_CELLS ((SPLIT - 1) * groups * ROWS * WIDE * SUM_CELLS)
#define CELLS (groups * GROUP_CELLS > PART_CELLS ? groups * GROUP_CELLS : PART_CELLS)

#if IS_LAST
#include "sums.glsl"
#else
#include "activated.glsl"
#if defined(LANES)
#define FINISHED(eight) (eight)  // they are activated before
#else
#define FINISHED(eight) activatedEight(eight)
#endif
#include "keep.glsl"
#endif
shared uvec4 cells[CELLS];
int cellOf(int group, int row, int block) {
  return group * GROUP_CELLS + (row * WIDE + block) * RESULT_CELLS;
}
#if defined(LANES)
int lane() { return int(gl_LocalInvocationID.x) % LANES; }
#endif
#if !IS_LAST
#include "keep_layer.glsl"
#endif
#include "layer_results.glsl"
#if IS_SIMPLE
#include "layer_simple.glsl"
#elif USES_MATRICES
#include "layer_matrices.glsl"
#elif defined(LANES)
#include "layer_lanes.glsl"
#else
#include "layer_plain.glsl"
#endif
