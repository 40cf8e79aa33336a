// Writes fragments (lattice.glsl), by all invocations of a group together: each has eight channels of a pixel,
// `lane` / 2, or with floats four of `lane` / 4. The written value is FINISHED(eight), which the including file
// defines.

#include "lattice.glsl"

#if USES_MATRICES && defined(MATRIX_HOLDS_EIGHT)
shared uvec4 spare[int(gl_WorkGroupSize.y) * FRAGMENT_CELLS];
// A fragment of shared memory, from a cell on.
#define KEEP_CELLS(array, to, cells, cell)                                \
  {                                                                       \
    MatrixA m;                                                            \
    MATRIX_LOAD_A(m, cells, cell, matrixRows, 2);                         \
    array[(to) + laneOf()] = FINISHED(MATRIX_EIGHT_OF(m, matrixNumberA)); \
  }
// Each invocation's eight channels go where `at` says.
#define KEEP_EIGHT(array, to, at, eight)                     \
  {                                                          \
    MATRIX_BARRIER;                                          \
    spare[groupOf() * FRAGMENT_CELLS + at] = eight;          \
    MATRIX_BARRIER;                                          \
    KEEP_CELLS(array, to, spare, groupOf() * FRAGMENT_CELLS) \
  }
#else
#define KEEP_CELLS(array, to, cells, cell) array[(to) + laneOf()] = FINISHED(cells[(cell) + laneOf()]);
#define KEEP_EIGHT(array, to, at, eight) array[(to) + at] = FINISHED(eight);
#endif

// The place of the eight channels in the fragment of the parts `by` away. The last pixels' copies have no
// such place: they replace one whose own pixel is outside the picture.
int cellBeside(ivec2 by, int lane, inout uvec4 eight) {
  ivec2 at = ivec2(lane / PIXEL_CELLS % 4, lane / (4 * PIXEL_CELLS)) - by;
  if (any(notEqual(at & 3, at))) { eight = uvec4(0u); }
  return ((at.y & 3) * 4 + (at.x & 3)) * PIXEL_CELLS + lane % PIXEL_CELLS;
}

// Functions for an array whose parts have wide_ x high fragments: a fragment's place, in quads; whether
// fragments below each other have copies in the ring; and the places of these copies.
#define DEFINE_RING(fragmentAt, isAtEdge, keepRing, array, wide_, high)          \
  int fragmentAt(int block, int row, int column) {                               \
    return ((block * (high + 2) + row + 1) * (wide_ + 2) + column + 1) * FRAGMENT_CELLS; \
  }                                                                              \
  bool isAtEdge(int row, int rows, int column) {                                 \
    return row == 0 || row + rows >= high || column == 0 || column == wide_ - 1; \
  }                                                                              \
  void keepRing(int block, int row, int column, uvec4 eight) {                   \
    for (int y = -1; y <= 1; ++y) {                                              \
      for (int x = -1; x <= 1; ++x) {                                            \
        ivec2 place = ivec2(column + x * wide_, row + y * high);                 \
        if ((x == 0 && y == 0) || any(lessThan(place, ivec2(-1))) ||             \
            any(greaterThan(place, ivec2(wide_, high)))) {                       \
          continue;                                                              \
        }                                                                        \
        uvec4 value = eight;                                                     \
        int at = cellBeside(ivec2(x, y), laneOf(), value);                       \
        KEEP_EIGHT(array, fragmentAt(block, place.y, place.x), at, value)        \
      }                                                                          \
    }                                                                            \
  }
