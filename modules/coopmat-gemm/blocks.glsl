// A block of the product by each workgroup, DEPTH of p at a time through shared memory. It is section 4.3.4 of Vannson 2023, but all
// groups load and multiply: a tile is multiplied while the next is in shared memory, and the two after that are on their way in registers;
// matrices of the next 16 of p are loaded before the ones at hand are multiplied.

#include "block.glsl"

const int threads = 32 * groups;
const int loadsA = (quadsA + threads - 1) / threads, loadsB = (quadsB + threads - 1) / threads;
const int steps = (inner16 + DEPTH - 1) / DEPTH;
const int slices = DEPTH / 16;

// What an invocation loads of each tile: where it lies in the first one, and two tiles on their way.
int shareA[loadsA], shareB[loadsB];
uvec4 partA[2][loadsA], partB[2][loadsB];

int quadAt(int i) { return int(gl_LocalInvocationIndex) + i * threads; }

void share(Place at) {
  [[unroll]] for (int i = 0; i < loadsA; ++i) {
    shareA[i] = at.batch * (batchA / 8) + quadOf(layoutA, rows16, blockRows, at.row, quadAt(i) % quadsA);
  }
  [[unroll]] for (int i = 0; i < loadsB; ++i) {
    shareB[i] = at.batch * (batchB / 8) + quadOf(layoutB, columns16, blockColumns, at.column, quadAt(i) % quadsB);
  }
}

// Beyond the end of p there are zeros.
bool isThere(int layout_, int width, int step_, int i) {
  return inner16 % DEPTH == 0 || step_ * DEPTH + depthOf(layout_, width, quadAt(i)) < inner16;
}

void fetch(const int part, int step_) {
  step_ = min(step_, steps - 1);
  [[unroll]] for (int i = 0; i < loadsA; ++i) {
    partA[part][i] = uvec4(0u);
    if (isThere(layoutA, blockRows, step_, i)) { partA[part][i] = quads_a.data[shareA[i] + step_ * stepOf(layoutA, rows16)]; }
  }
  [[unroll]] for (int i = 0; i < loadsB; ++i) {
    partB[part][i] = uvec4(0u);
    if (isThere(layoutB, blockColumns, step_, i)) { partB[part][i] = quads_b.data[shareB[i] + step_ * stepOf(layoutB, columns16)]; }
  }
}

void keep(const int stage) {
  [[unroll]] for (int i = 0; i < loadsA; ++i) {
    if (quadsA % threads == 0 || quadAt(i) < quadsA) { cells[firstA(stage) + cellOf(layoutA, blockRows, quadAt(i))] = partA[stage][i]; }
  }
  [[unroll]] for (int i = 0; i < loadsB; ++i) {
    if (quadsB % threads == 0 || quadAt(i) < quadsB) { cells[firstB(stage) + cellOf(layoutB, blockColumns, quadAt(i))] = partB[stage][i]; }
  }
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

// A step whose tile is in shared memory as `stage`; part `1 - stage` is the next one.
#define STEP(stage)                                                             \
  [[unroll]] for (int slice = 0; slice < slices; ++slice) {                     \
    const int set = (stage * slices + slice) % 2;                               \
    if (slice == slices - 1) {                                                  \
      keep(1 - stage);                                                          \
      fetch(1 - stage, step_ + stage + 3);                                      \
      barrier();                                                                \
      LOAD_MATRICES(1 - set, 1 - stage, 0);                                     \
    } else {                                                                    \
      LOAD_MATRICES(1 - set, stage, slice + 1);                                 \
    }                                                                           \
    MULTIPLY(set);                                                              \
  }

// Blocks in an order in which those that run at a time share lines of both factors: 8 below each other, then the next column.
Place ownPlace() {
  const int band = 8;
  int across_ = int(gl_NumWorkGroups.x), down = int(gl_NumWorkGroups.y);
  int id = int(gl_WorkGroupID.y) * across_ + int(gl_WorkGroupID.x);
  int first = id / (band * across_) * band;
  int high = min(band, down - first);
  int inside = id - first * across_;
  return placeAt(inside / high * blockColumns, (first + inside % high) * blockRows);
}

void run(Pixel pixel) {
  array_grid.data[0] = 0.0;
  Place at = ownPlace();
  if (at.row >= rows) { return; }
  MatrixC sums[matricesA][matricesB];
  MatrixA a[2][matricesA];
  MatrixB b[2][matricesB];
  CLEAR(sums)
  share(at);
  fetch(0, 0);
  fetch(1, 1);
  keep(0);
  fetch(0, 2);
  barrier();
  LOAD_MATRICES(0, 0, 0);
  for (int step_ = 0; step_ < steps; step_ += 2) {
    STEP(0)
    if (step_ + 1 < steps) { STEP(1) }
  }
  FINISH(sums, at)
}
