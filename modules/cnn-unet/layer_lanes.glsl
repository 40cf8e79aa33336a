// A layer in plain arithmetic for CPU devices, which load for each invocation alone, and compute for eight at
// once. A subgroup has a task of its own: an invocation computes two pixels of a fragment, 16 channels of four
// rows. All sums are in registers, or beside them; each invocation loads some of the weights, four channels of
// the input at a time. Sums are in layer_plain.glsl's order.

// The weight of tile t from channel c of a pair of inputs to output o.
#define WEIGHT(t, pair, c) subgroupShuffle(weights[2 * (t) + c][o % 4], uint(4 * pair + o / 4))
// Both pixels in rows r and r + 2, or what these see.
#define ROWS_AT(pair, c, r) rows[(2 * pair + c) * 4 + (r)]

// `odd`: the tile of odd rows.
#define ADD_CHANNEL(t, odd, pair, c)                               \
  {                                                                \
    float even_ = WEIGHT(t, pair, c), odd_ = WEIGHT(odd, pair, c); \
    sums[2 * o] += ROWS_AT(pair, c, t) * even_;                    \
    sums[2 * o + 1] += ROWS_AT(pair, c, t + 1) * odd_;             \
  }
#define ADD_TAP(t, odd, pair) ADD_CHANNEL(t, odd, pair, 0) ADD_CHANNEL(t, odd, pair, 1)
#define SAME(pair) ADD_TAP(0, 0, pair) ADD_TAP(1, 1, pair) ADD_TAP(2, 2, pair)
#define UPSAMPLED(pair) ADD_TAP(0, 2, pair) ADD_TAP(1, 3, pair)

// `columns`: of the source; `tiles`: of a column; `apart`: rows of the source between what a pixel's rows r and
// r + 2 see; `first`: place of the first row; `last`: number of rows behind it, with the ring. One loop, because
// each holds all sums once more. Steps are four channels.
#define ADD_SOURCE(words_, blocks, pitch, add, columns, tiles, apart, first, last, tile)               \
  {                                                                                                    \
    int i = 0;                                                                                         \
    do {                                                                                               \
      int block = i / (4 * columns), dx = i / 4 % columns, step_ = i % 4;                              \
      int from = ((first) + PIXEL_CELLS * lane()) * 4 + 2 * step_;                                     \
      int cell = (tile) * FRAGMENT_CELLS + LANES * step_ + lane();                                     \
      vec4 weights[2 * tiles];                                                                         \
      [[unroll]] for (int t = 0; t < tiles; ++t) {                                                     \
        uvec4 words = quads_weights.data[cell + t * FRAGMENT_CELLS];                                   \
        vec2 w0 = unpackHalf2x16(words.x), w1 = unpackHalf2x16(words.y), w2 = unpackHalf2x16(words.z), \
             w3 = unpackHalf2x16(words.w);                                                             \
        weights[2 * t] = vec4(w0.x, w1.x, w2.x, w3.x);                                                 \
        weights[2 * t + 1] = vec4(w0.y, w1.y, w2.y, w3.y);                                             \
      }                                                                                                \
      mat2 rows[16];                                                                                   \
      [[unroll]] for (int half_ = 0; half_ < 2; ++half_) {                                             \
        [[unroll]] for (int pair = 0; pair < 2; ++pair) {                                              \
          int at = from + half_ * LANES * PIXEL_CELLS * 4 + pair;                                      \
          vec2 held[6];                                                                                \
          [[unroll]] for (int r = 0; r < 4 + apart; ++r) {                                             \
            held[r] = unpackHalf2x16(words_[at + 4 * min(r, last) * pitch]);                           \
          }                                                                                            \
          [[unroll]] for (int r = 0; r < 2 + apart; ++r) {                                             \
            ROWS_AT(pair, 0, r)[half_] = vec2(held[r].x, held[r + apart].x);                           \
            ROWS_AT(pair, 1, r)[half_] = vec2(held[r].y, held[r + apart].y);                           \
          }                                                                                            \
        }                                                                                              \
      }                                                                                                \
      [[unroll]] for (int o = 0; o < 4 * QUADS; ++o) { add(0) add(1) }                                 \
    } while (++i < blocks * columns * 4);                                                              \
  }
#define ADD_SAME(quads_, words_, blocks, pitch, place, firstTile)                                  \
  ADD_SOURCE(words_, blocks, pitch, SAME, 3, 3, 2, place(block, own.row - 1, own.column + dx - 1), \
             down + 1 - own.row, ownTile + firstTile + block * 9 + 3 * dx)
#define ADD_UPSAMPLED(quads_, words_, blocks, pitch, place, firstTile)                               \
  ADD_SOURCE(words_, blocks, pitch, UPSAMPLED, 2, 4, 1,                                              \
             place(block, own.row / 2 - 1, (own.column + 1) / 2 - 1 + dx), (down - own.row) / 2 + 1, \
             ownTile + firstTile + block * 16 + own.column % 2 * 8 + 4 * dx)

vec4 held(vec4 v) { return IS_LAST == 1 ? v : clamp(v, isRelu ? 0.0 : -65504.0, 65504.0); }

void computeRows(Place own) {
  mat2 sums[32];  // [channel][even or odd rows][pixel][row]
  int ownTile = firstLayerTile + own.block * inputTiles;
  [[unroll]] for (int i = 0; i < 32; ++i) {
    float bias = uintBitsToFloat(quads_bias.data[firstBias + own.block * 4 + i / 8][i / 2 % 4]);
    sums[i] = mat2(bias, bias, bias, bias);
  }
  ADD_SOURCES
  [[unroll]] for (int half_ = 0; half_ < 2; ++half_) {
    [[unroll]] for (int r = 0; r < 4; ++r) {
      vec4 of[4];
      [[unroll]] for (int o = 0; o < 16; ++o) { of[o / 4][o % 4] = sums[2 * o + r % 2][half_][r / 2]; }
      storePixel(own, r, 0, LANES * half_ + lane(), held(of[0]), held(of[1]), held(of[2]), held(of[3]));
    }
  }
}

void run(Pixel unused) {
  EACH_COLUMN(computeRows(ownPlace());)
  finishRows(ownPlace());
}
