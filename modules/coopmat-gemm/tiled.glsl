// A block of the product for each workgroup, 16 of p at a time through shared memory; while one half of the
// groups multiplies, the other loads: Vannson 2023, section 4.3.4 (tiled.comp). In each step one half loads
// its part of the next tiles before it multiplies, the other afterwards. We differ: there is a barrier after
// the first tiles, without which the study's program reads data too early; rows of shared memory have an
// extra cell; and addresses are computed once.

#define DEPTH 16
#define WIDE 4
#include "block.glsl"

const int loaders = 32 * groups;
const int steps = inner16 / DEPTH;

const int loadsA = (quadsA + loaders - 1) / loaders, loadsB = (quadsB + loaders - 1) / loaders;

int quadAt(int i) { return int(gl_LocalInvocationIndex) + i * loaders; }

// The next tile of a factor. An invocation issues all its loads before it stores the first one.
#define LOAD_A(stage)                                                                                 \
  {                                                                                                   \
    uvec4 part[loadsA];                                                                               \
    [[unroll]] for (int i = 0; i < loadsA; ++i) {                                                     \
      part[i] = quads_a.data[placeA[i]];                                                              \
      placeA[i] += stepOf(layoutA, rows16);                                                           \
    }                                                                                                 \
    [[unroll]] for (int i = 0; i < loadsA; ++i) {                                                     \
      if (quadsA % loaders == 0 || quadAt(i) < quadsA) { cells[firstA(stage) + cellA[i]] = part[i]; } \
    }                                                                                                 \
  }
#define LOAD_B(stage)                                                                                 \
  {                                                                                                   \
    uvec4 part[loadsB];                                                                               \
    [[unroll]] for (int i = 0; i < loadsB; ++i) {                                                     \
      part[i] = quads_b.data[placeB[i]];                                                              \
      placeB[i] += stepOf(layoutB, columns16);                                                        \
    }                                                                                                 \
    [[unroll]] for (int i = 0; i < loadsB; ++i) {                                                     \
      if (quadsB % loaders == 0 || quadAt(i) < quadsB) { cells[firstB(stage) + cellB[i]] = part[i]; } \
    }                                                                                                 \
  }

#define MULTIPLY(stage)                                                               \
  {                                                                                   \
    MatrixA a[matricesA];                                                             \
    [[unroll]] for (int i = 0; i < matricesA; ++i) { LOAD_OWN_A(a[i], stage, i, 0); } \
    [[unroll]] for (int j = 0; j < matricesB; ++j) {                                  \
      MatrixB b;                                                                      \
      LOAD_OWN_B(b, stage, j, 0);                                                     \
      [[unroll]] for (int i = 0; i < matricesA; ++i) {                                \
        sums[i][j] = matrixMultiplyAdd(a[i], b, sums[i][j]);                          \
      }                                                                               \
    }                                                                                 \
  }

#define LOAD(stage) \
  {                 \
    LOAD_A(stage)   \
    LOAD_B(stage)   \
  }

// A step whose tiles are in shared memory as `stage`.
#define STEP(stage, more)                        \
  {                                              \
    barrier();                                   \
    if (more && loadsFirst) { LOAD(1 - stage) }  \
    MULTIPLY(stage)                              \
    if (more && !loadsFirst) { LOAD(1 - stage) } \
  }

void run(Pixel pixel) {
  Place at = placeAt(int(gl_WorkGroupID.x) * blockColumns, int(gl_WorkGroupID.y) * blockRows);
  if (at.row >= rows) { return; }
  MatrixC sums[matricesA][matricesB];
  CLEAR(sums)
  bool loadsFirst = matrixGroup() < groups / 2;
  int placeA[loadsA], placeB[loadsB], cellA[loadsA], cellB[loadsB];
  [[unroll]] for (int i = 0; i < loadsA; ++i) {
    placeA[i] = at.batch * (batchA / 8) + quadOf(layoutA, rows16, blockRows, at.row, quadAt(i) % quadsA);
    cellA[i] = cellOf(layoutA, blockRows, quadAt(i));
  }
  [[unroll]] for (int i = 0; i < loadsB; ++i) {
    placeB[i] =
        at.batch * (batchB / 8) + quadOf(layoutB, columns16, blockColumns, at.column, quadAt(i) % quadsB);
    cellB[i] = cellOf(layoutB, blockColumns, quadAt(i));
  }
  LOAD(0)
  for (int i = 0; i < steps / 2; ++i) {
    STEP(0, true)
    STEP(1, 2 * i + 2 < steps)
  }
  if (steps % 2 == 1) { STEP(0, false) }
  Place corner = ownPart(at);
  FINISH(sums, corner)
}
