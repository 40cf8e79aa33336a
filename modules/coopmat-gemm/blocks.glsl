// A block of the product for each workgroup, DEPTH of p at a time through shared memory. It is section 4.3.4
// of Vannson 2023, but all groups load and multiply: a tile is multiplied while the next is in shared memory,
// and the AHEAD tiles after that are being loaded into registers; matrices of the next 16 of p are loaded
// before the current ones are multiplied.
//
// Arrays are local, and their indices are written as macros: drivers keep arrays in memory if an index is a
// function's argument.

#include "block.glsl"

const int threads = 32 * groups;
const int loadsA = (quadsA + threads - 1) / threads, loadsB = (quadsB + threads - 1) / threads;
const int steps = (inner16 + DEPTH - 1) / DEPTH;
const int slices = DEPTH / 16;

int quadAt(int i) { return int(gl_LocalInvocationIndex) + i * threads; }

// Beyond the end of p there are zeros.
bool isThere(int layout_, int width, int step_, int quad) {
  return inner16 % DEPTH == 0 || step_ * DEPTH + depthOf(layout_, width, quad) < inner16;
}

// An invocation's part of the tile `next`, and of the one after it.
#define FETCH(set)                                                                                           \
  {                                                                                                          \
    [[unroll]] for (int i = 0; i < loadsA; ++i) {                                                            \
      partA[set][i] = isThere(layoutA, blockRows, next, quadAt(i)) ? quads_a.data[placeA[i]] : uvec4(0u);    \
      placeA[i] += next + 1 < steps ? stepOf(layoutA, rows16) : 0;                                           \
    }                                                                                                        \
    [[unroll]] for (int i = 0; i < loadsB; ++i) {                                                            \
      partB[set][i] = isThere(layoutB, blockColumns, next, quadAt(i)) ? quads_b.data[placeB[i]] : uvec4(0u); \
      placeB[i] += next + 1 < steps ? stepOf(layoutB, columns16) : 0;                                        \
    }                                                                                                        \
    ++next;                                                                                                  \
  }

#define KEEP(stage, set)                                                                                    \
  {                                                                                                         \
    [[unroll]] for (int i = 0; i < loadsA; ++i) {                                                           \
      if (quadsA % threads == 0 || quadAt(i) < quadsA) { cells[firstA(stage) + cellA[i]] = partA[set][i]; } \
    }                                                                                                       \
    [[unroll]] for (int i = 0; i < loadsB; ++i) {                                                           \
      if (quadsB % threads == 0 || quadAt(i) < quadsB) { cells[firstB(stage) + cellB[i]] = partB[set][i]; } \
    }                                                                                                       \
  }

#define LOAD_MATRICES(set, stage, slice)                                                            \
  {                                                                                                 \
    [[unroll]] for (int i = 0; i < matricesA; ++i) { LOAD_OWN_A(a[set][i], stage, i, slice); }      \
    [[unroll]] for (int j = 0; j < matricesB; ++j) { LOAD_OWN_B(b[set][j], stage, j, slice); }      \
  }

#define MULTIPLY(set)                                                                                 \
  [[unroll]] for (int j = 0; j < matricesB; ++j) {                                                    \
    [[unroll]] for (int i = 0; i < matricesA; ++i) {                                                  \
      sums[i][j] = matrixMultiplyAdd(a[set][i], b[set][j], sums[i][j]);                               \
    }                                                                                                 \
  }

// A step whose tile is in shared memory as `stage`.
#define STEP(stage)                                         \
  [[unroll]] for (int slice = 0; slice < slices; ++slice) { \
    const int set = (stage * slices + slice) % 2;           \
    if (slice == slices - 1) {                              \
      KEEP(1 - stage, (1 - stage) % AHEAD)                  \
      FETCH((1 - stage) % AHEAD)                            \
      barrier();                                            \
      LOAD_MATRICES(1 - set, 1 - stage, 0)                  \
    } else {                                                \
      LOAD_MATRICES(1 - set, stage, slice + 1)              \
    }                                                       \
    MULTIPLY(set)                                           \
  }
void run(Pixel pixel) {
  Place at = ownPlace(blockColumns, blockRows);
  if (at.row >= rows) { return; }
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
  uvec4 partA[AHEAD][loadsA], partB[AHEAD][loadsB];
  MatrixC sums[matricesA][matricesB];
  MatrixA a[2][matricesA];
  MatrixB b[2][matricesB];
  CLEAR(sums)
  int next = 0;
  FETCH(0)
  KEEP(0, 0)
  [[unroll]] for (int ahead = 1; ahead <= AHEAD; ++ahead) { FETCH(ahead % AHEAD) }
  barrier();
  LOAD_MATRICES(0, 0, 0)
  for (int i = 0; i < steps / 2; ++i) {
    STEP(0)
    STEP(1)
  }
  // No branch within a loop: it would keep a step's loads behind the previous step.
  if (steps % 2 == 1) { STEP(0) }
  Place corner = ownPart(at);
  FINISH(sums, corner)
}
