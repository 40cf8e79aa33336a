// A block of the product for each workgroup, of which each group of 32 invocations has a part: WIDE of them
// lie below each other. Shared memory has room for two tiles of both factors, DEPTH deep. Kernels define both
// words.

#define blockRows (Y * groups)
#define blockColumns (32 * X)
#define cellsA TILE_CELLS(layoutA, blockRows)
#define cellsB TILE_CELLS(layoutB, blockColumns)
#define CELLS (2 * (cellsA + cellsB))
#include "tile.glsl"
#include "groups.glsl"

const int quadsA = blockRows * DEPTH / 8, quadsB = blockColumns * DEPTH / 8;
const int across = groups / WIDE;
const int matricesA = blockRows / WIDE / 16, matricesB = blockColumns / across / 16;

int firstA(int stage) { return stage * (cellsA + cellsB); }
int firstB(int stage) { return firstA(stage) + cellsA; }

// The group's part, in the block.
int ownRow() { return matrixGroup() / across * matricesA * 16; }
int ownColumn() { return matrixGroup() % across * matricesB * 16; }

// The group's i-th matrix of a, j-th of b, in a slice of 16 of the tile's depth.
#define LOAD_OWN_A(m, stage, i, slice)                                                                 \
  MATRIX_LOAD_A(m, cells, firstA(stage) + cellAt(layoutA, blockRows, ownRow() + 16 * i, 16 * (slice)), \
      orderA,                                                                                          \
                TILE_STRIDE(layoutA, blockRows))
#define LOAD_OWN_B(m, stage, j, slice)                                                                       \
  MATRIX_LOAD_B(m, cells, firstB(stage) + cellAt(layoutB, blockColumns, ownColumn() + 16 * j, 16 * (slice)), \
      orderB,                                                                                                \
                TILE_STRIDE(layoutB, blockColumns))

Place ownPart(Place block) { return Place(block.batch, block.row + ownRow(), block.column + ownColumn()); }
