// A block of the product for each workgroup, of which each group of 32 invocations has a part. Groups load
// matrices directly from memory, and find those that others have loaded in the first-level cache. Each is one
// load of 16 bytes an invocation. No shared memory, no barriers; AHEAD sets of matrices are being loaded
// while one is multiplied. There is no branch within the loop: it would keep a step's loads behind the
// previous step. With SPLIT 2 two groups have the same part, each for half of p, and add up in shared memory.

#define blockRows (Y * groups)
#define blockColumns (32 * X)
#define CELLS ((SPLIT - 1) * (blockRows * blockColumns / (HALF == 1 ? 8 : 4)))
#include "groups.glsl"
const int across = groups / WIDE / SPLIT;
const int matricesA = blockRows / WIDE / 16, matricesB = blockColumns / across / 16;
const int parts = inner16 / 16 % SPLIT == 0 ? SPLIT : 1;  // of p
const int steps = inner16 / 16 / parts, sets = AHEAD + 1;

// The distance from the first matrix to the i-th one; beyond the last matrix, the last one is repeated.
#define OFFSET_A(i) ((rows16 % blockRows == 0 ? i : min(i, lastA)) * 32)
#define OFFSET_B(j) ((columns16 % blockColumns == 0 ? j : min(j, lastB)) * 32)

#define FETCH(set)                                                          \
  {                                                                         \
    [[unroll]] for (int i = 0; i < matricesA; ++i) {                        \
      MATRIX_LOAD_FRAGMENT_A(a[set][i], quads_a.data, fromA + OFFSET_A(i)); \
    }                                                                       \
    [[unroll]] for (int j = 0; j < matricesB; ++j) {                        \
      MATRIX_LOAD_FRAGMENT_B(b[set][j], quads_b.data, fromB + OFFSET_B(j)); \
    }                                                                       \
    ++next;                                                                 \
    fromA += next < steps ? rows16 * 2 : 0;                                 \
    fromB += next < steps ? columns16 * 2 : 0;                              \
  }

#define MULTIPLY(set)                                                                                 \
  [[unroll]] for (int j = 0; j < matricesB; ++j) {                                                    \
    [[unroll]] for (int i = 0; i < matricesA; ++i) {                                                  \
      sums[i][j] = matrixMultiplyAdd(a[set][i], b[set][j], sums[i][j]);                               \
    }                                                                                                 \
  }
#define STEP(turn)               \
  {                              \
    MULTIPLY((turn) % sets)      \
    FETCH((turn + AHEAD) % sets) \
  }

// The place of a group's sums in shared memory while parts are added up.
int cellOf(int own, int matrix) { return (own * matricesA * matricesB + matrix) * 16 * sumStride; }

#define ADD_PARTS                                                                                 \
  if (parts > 1 && part == 1) {                                                                   \
    [[unroll]] for (int i = 0; i < matricesA; ++i) {                                              \
      [[unroll]] for (int j = 0; j < matricesB; ++j) {                                            \
        MATRIX_STORE_C(cells, cellOf(own, i * matricesB + j), sums[i][j], matrixRows, sumStride); \
      }                                                                                           \
    }                                                                                             \
  }                                                                                               \
  barrier();                                                                                      \
  if (parts > 1 && part == 0) {                                                                   \
    [[unroll]] for (int i = 0; i < matricesA; ++i) {                                              \
      [[unroll]] for (int j = 0; j < matricesB; ++j) {                                            \
        MatrixC other;                                                                            \
        MATRIX_LOAD_C(other, cells, cellOf(own, i * matricesB + j), matrixRows, sumStride);       \
        sums[i][j] = matrixAdd(sums[i][j], other);                                                \
      }                                                                                           \
    }                                                                                             \
  }                                                                                               \
  if (part > 0) { at.row = rows; } /* the others have it all */

void run(Pixel pixel) {
  Place at = ownPlace(blockColumns, blockRows);
  if (at.row >= rows) { return; }
  int own = matrixGroup() % (across * WIDE), part = matrixGroup() / (across * WIDE);
  int ownRow = own / across * matricesA * 16, ownColumn = own % across * matricesB * 16;
  int ownA = min(at.row + ownRow, rows16 - 16), ownB = min(at.column + ownColumn, columns16 - 16);
  int lastA = (rows16 - ownA) / 16 - 1, lastB = (columns16 - ownB) / 16 - 1;
  int firstK = part % parts * steps * 16;
  int fromA = placeInA(at.batch, ownA, firstK) / 8, fromB = placeInB(at.batch, ownB, firstK) / 8;
  MatrixC sums[matricesA][matricesB];
  MatrixA a[sets][matricesA];
  MatrixB b[sets][matricesB];
  CLEAR(sums)
  int next = 0;
  [[unroll]] for (int set = 0; set < AHEAD; ++set) { FETCH(set) }
  for (int i = 0; i < steps / sets; ++i) {
    [[unroll]] for (int turn = 0; turn < sets; ++turn) { STEP(turn) }
  }
  [[unroll]] for (int turn = 0; turn < steps % sets; ++turn) { STEP(turn) }
  if (SPLIT > 1) { ADD_PARTS }
  Place corner = Place(at.batch, at.row + ownRow, at.column + ownColumn);
  FINISH(sums, corner)
}
