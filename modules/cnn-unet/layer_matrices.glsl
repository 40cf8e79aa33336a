// A layer on matrices, straight from memory: a column of fragments at a time, which three rows of taps see.
// There are no branches in the loop: they would keep a column's loads behind the products of the previous
// one.

#define LOAD_COLUMN(array, count, from, pitch)                                                           \
  UNROLL for (int r = 0; r < count; ++r) { MATRIX_LOAD_FRAGMENT_A(column[r], array, (from) + r * (pitch)); }
// Beyond the layer's last block that one is computed again, and not kept.
#define BLOCK(n) (outputBlocks % WIDE == 0 ? n : min(n, outputBlocks - 1 - own.block))
#define LOAD_WEIGHTS(count, tile)                                                                   \
  UNROLL for (int t = 0; t < count; ++t) {                                                          \
    UNROLL for (int n = 0; n < WIDE; ++n) {                                                         \
      MATRIX_LOAD_FRAGMENT_B(weights[t][n], quads_packed.data, ((tile) + t + BLOCK(n) * inputTiles) * 32); \
    }                                                                                               \
  }

// Blocks of the input that belong to a part; weights beyond the last one are 0.
#define ROUNDS(blocks) ((blocks + SPLIT - 1) / SPLIT)
#define OWN_BLOCK(round_, blocks) \
  (blocks % SPLIT == 0 ? (round_) * SPLIT + own.part : min((round_) * SPLIT + own.part, blocks - 1))

#define FETCH_SAME(array, blocks, pitch, place, firstTile, round_, dx)                                      \
  {                                                                                                         \
    LOAD_COLUMN(array, ROWS + 2, place(OWN_BLOCK(round_, blocks), own.row - 1, own.column - 1 + dx), pitch) \
    LOAD_WEIGHTS(3, ownTile + firstTile + ((round_) * SPLIT + own.part) * 9 + (dx) * 3)                     \
  }
#define MULTIPLY_SAME                                                               \
  UNROLL for (int r = 0; r < ROWS; ++r) {                                           \
    UNROLL for (int dy = 0; dy < 3; ++dy) {                                         \
      UNROLL for (int n = 0; n < WIDE; ++n) {                                       \
        sums[r][n] = matrixMultiplyAdd(column[r + dy], weights[dy][n], sums[r][n]); \
      }                                                                             \
    }                                                                               \
  }

#define FETCH_UPSAMPLED(array, blocks, pitch, place, firstTile, round_, dx)                              \
  {                                                                                                      \
    LOAD_COLUMN(array, ROWS / 2 + 2,                                                                     \
                place(OWN_BLOCK(round_, blocks), own.row / 2 - 1, (own.column + 1) / 2 - 1 + dx), pitch) \
    LOAD_WEIGHTS(4,                                                                                      \
        ownTile + firstTile + ((round_) * SPLIT + own.part) * 16 + own.column % 2 * 8 + (dx) * 4)        \
  }
#define MULTIPLY_UPSAMPLED                                                                                  \
  UNROLL for (int r = 0; r < ROWS; ++r) {                                                                   \
    UNROLL for (int dy = 0; dy < 2; ++dy) {                                                                 \
      UNROLL for (int n = 0; n < WIDE; ++n) {                                                               \
        sums[r][n] = matrixMultiplyAdd(column[r / 2 + r % 2 + dy], weights[r % 2 * 2 + dy][n], sums[r][n]); \
      }                                                                                                     \
    }                                                                                                       \
  }

// `steps`: of a round.
#define ADD_SOURCE(fetch, multiply, steps, array, blocks, pitch, place, firstTile) \
  for (int round_ = 0; round_ < ROUNDS(blocks); ++round_) {                        \
    UNROLL for (int s = 0; s < steps; ++s) {                                       \
      fetch(array, blocks, pitch, place, firstTile, round_, s)                     \
      multiply                                                                     \
    }                                                                              \
  }
#define ADD_SAME(array, words_, blocks, pitch, place, firstTile) \
  ADD_SOURCE(FETCH_SAME, MULTIPLY_SAME, 3, array, blocks, pitch, place, firstTile)
#define ADD_UPSAMPLED(array, words_, blocks, pitch, place, firstTile) \
  ADD_SOURCE(FETCH_UPSAMPLED, MULTIPLY_UPSAMPLED, 2, array, blocks, pitch, place, firstTile)

#define PART_CELL(part, r, n) \
  (((((part) - 1) * groups + groupOf() % groups) * ROWS + (r)) * WIDE + n) * SUM_CELLS
#define ADD_PARTS                                                                    \
  if (own.part > 0) {                                                                \
    UNROLL for (int r = 0; r < ROWS; ++r) {                                          \
      UNROLL for (int n = 0; n < WIDE; ++n) {                                        \
        MATRIX_STORE_C(cells, PART_CELL(own.part, r, n), sums[r][n], matrixRows, 4); \
      }                                                                              \
    }                                                                                \
  }                                                                                  \
  barrier();                                                                         \
  if (own.part == 0) {                                                               \
    UNROLL for (int other = 1; other < SPLIT; ++other) {                             \
      UNROLL for (int r = 0; r < ROWS; ++r) {                                        \
        UNROLL for (int n = 0; n < WIDE; ++n) {                                      \
          MatrixC more;                                                              \
          MATRIX_LOAD_C(more, cells, PART_CELL(other, r, n), matrixRows, 4);         \
          sums[r][n] = matrixAdd(sums[r][n], more);                                  \
        }                                                                            \
      }                                                                              \
    }                                                                                \
  }                                                                                  \
  barrier();

void run(Pixel unused) {
  Place own = ownPlace();
  int ownTile = firstLayerTile + own.block * inputTiles;
  MatrixC sums[ROWS][WIDE];
  MatrixA column[ROWS + 2];
  MatrixB weights[4][WIDE];
  UNROLL for (int r = 0; r < ROWS; ++r) {
    UNROLL for (int n = 0; n < WIDE; ++n) {
      MATRIX_LOAD_C(sums[r][n], quads_bias.data, firstBias + (own.block + BLOCK(n)) * 4, matrixRows, 0);
    }
  }
  if (SPLIT > 1 && own.part > 0) {
    UNROLL for (int r = 0; r < ROWS; ++r) {
      UNROLL for (int n = 0; n < WIDE; ++n) { sums[r][n] = matrixFill(0.0); }
    }
  }
  ADD_SOURCES
  if (SPLIT > 1) { ADD_PARTS }
  if (own.part == 0) {
    UNROLL for (int r = 0; r < ROWS; ++r) {
      UNROLL for (int n = 0; n < WIDE; ++n) { STORE_SUM(cellOf(groupOf(), r, n), sums[r][n]) }
    }
  }
  finishRows(own);
}
