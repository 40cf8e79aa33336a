// A block of the product by each workgroup, 16 of p at a time through shared memory; while one half of the groups multiplies, the other
// loads: Vannson 2023, section 4.3.4 (tiled.comp). Each half owns half of the rows. We differ in a barrier after the first tiles, without
// which the study's program reads what isn't there yet, and in rows of shared memory that are a cell longer.

#define DEPTH 16
#define WIDE 4  // a half of the groups is two high
#include "block.glsl"

const int halves = 2;
const int loaders = 32 * groups / halves;

int lane() { return int(gl_LocalInvocationIndex) % loaders; }

void loadA(Place at, int stage, int k) {
  for (int q = lane(); q < quadsA; q += loaders) {
    int from = at.batch * (batchA / 8) + quadOf(layoutA, rows16, blockRows, at.row, q) + k / DEPTH * stepOf(layoutA, rows16);
    cells[firstA(stage) + cellOf(layoutA, blockRows, q)] = quads_a.data[from];
  }
}

void loadB(Place at, int stage, int k) {
  for (int q = lane(); q < quadsB; q += loaders) {
    int from = at.batch * (batchB / 8) + quadOf(layoutB, columns16, blockColumns, at.column, q) + k / DEPTH * stepOf(layoutB, columns16);
    cells[firstB(stage) + cellOf(layoutB, blockColumns, q)] = quads_b.data[from];
  }
}

#define MULTIPLY(stage)                                                                                             \
  {                                                                                                                 \
    MatrixA a[matricesA];                                                                                           \
    [[unroll]] for (int i = 0; i < matricesA; ++i) { LOAD_OWN_A(a[i], stage, i, 0); }                               \
    [[unroll]] for (int j = 0; j < matricesB; ++j) {                                                                \
      MatrixB b;                                                                                                    \
      LOAD_OWN_B(b, stage, j, 0);                                                                                   \
      [[unroll]] for (int i = 0; i < matricesA; ++i) { sums[i][j] = matrixMultiplyAdd(a[i], b, sums[i][j]); }       \
    }                                                                                                               \
  }

void run(Pixel pixel) {
  array_grid.data[0] = 0.0;
  Place at = placeAt(int(gl_WorkGroupID.x) * blockColumns, int(gl_WorkGroupID.y) * blockRows);
  if (at.row >= rows) { return; }
  MatrixC sums[matricesA][matricesB];
  CLEAR(sums)
  bool isUpper = matrixGroup() < groups / halves;
  if (isUpper) {
    loadA(at, 0, 0);
  } else {
    loadB(at, 0, 0);
  }
  for (int k = 0; k < inner16; k += DEPTH) {
    int stage = k / DEPTH % 2;
    bool more = k + DEPTH < inner16;
    barrier();
    if (isUpper) {
      MULTIPLY(stage)
    } else if (more) {
      loadB(at, 1 - stage, k + DEPTH);
    }
    barrier();
    if (!isUpper) {
      MULTIPLY(stage)
    } else if (more) {
      loadA(at, 1 - stage, k + DEPTH);
    }
  }
  Place corner = ownPart(at);
  FINISH(sums, corner)
}
