// A layer in plain arithmetic: an invocation computes a pixel of the group's fragments, 16 channels and CHUNK
// rows at a time. A word holds two neighbouring channels; a word of the weights holds those of two input
// channels: [8 pairs][16 outputs]. With floats two words do.

const int CHUNK = ROWS < 4 ? ROWS : 4;

// Four channels of CHUNK rows: two channels of the input, of one tap. `at(r)`: the element of `values` that
// row r uses.
#define ADD_QUAD(quad, tile, at)                                                                   \
  {                                                                                                \
    vec4 low, high;                                                                                \
    loadWeights(tile, pair, quad, low, high);                                                      \
    [[unroll]] for (int r = 0; r < CHUNK; ++r) {                                                   \
      if (at(r) >= 0) {                                                                            \
        sums[4 * r + quad] =                                                                       \
            fma(vec4(values[at(r)].y), high, fma(vec4(values[at(r)].x), low, sums[4 * r + quad])); \
      }                                                                                            \
    }                                                                                              \
  }
#define ADD_TAP(tile, at)                                            \
  [[unroll]] for (int quad = 0; quad < QUADS; ++quad) {              \
    ADD_QUAD(quad, tile, at)                                         \
  }

#if USES_FLOATS
#define PAIR_WORDS 2
#define TWO(array, at) uintBitsToFloat(uvec2(array[at], array[(at) + 1]))
void loadWeights(int tile, int pair, int quad, out vec4 low, out vec4 high) {
  int at = tile * FRAGMENT_CELLS + 8 * pair + 2 * quad;
  vec4 a = uintBitsToFloat(quads_weights.data[at]), b = uintBitsToFloat(quads_weights.data[at + 1]);
  low = vec4(a.xz, b.xz);
  high = vec4(a.yw, b.yw);
}
#else
#define PAIR_WORDS 1
#define TWO(array, at) unpackHalf2x16(array[at])
void loadWeights(int tile, int pair, int quad, out vec4 low, out vec4 high) {
  uvec4 words = quads_weights.data[tile * FRAGMENT_CELLS + 4 * pair + quad];
  vec2 w0 = unpackHalf2x16(words.x), w1 = unpackHalf2x16(words.y), w2 = unpackHalf2x16(words.z),
       w3 = unpackHalf2x16(words.w);
  low = vec4(w0.x, w1.x, w2.x, w3.x);
  high = vec4(w0.y, w1.y, w2.y, w3.y);
}
#endif

#define ROW_0(r) (r)
#define ROW_1(r) ((r) + 1)
#define ROW_2(r) ((r) + 2)
#define ADD_SAME(quads_, array, blocks, pitch, place, firstTile)             \
  for (int block = 0; block < blocks; ++block) {                             \
    for (int dx = 0; dx < 3; ++dx) {                                         \
      int from = place(block, row - 1, own.column + dx - 1) * 4 + pixel * 8 * PAIR_WORDS; \
      int tile = ownTile + firstTile + block * 9 + 3 * dx;                   \
      for (int pair = 0; pair < 8; ++pair) {                                 \
        [[unroll]] for (int r = 0; r < CHUNK + 2; ++r) {                     \
          values[r] = TWO(array, from + pair * PAIR_WORDS + r * 4 * pitch);               \
        }                                                                    \
        ADD_TAP(tile, ROW_0)                                                 \
        ADD_TAP(tile + 1, ROW_1)                                             \
        ADD_TAP(tile + 2, ROW_2)                                             \
      }                                                                      \
    }                                                                        \
  }

// The even or the odd rows, depending on the tap.
#define EVEN_0(r) ((r) % 2 == 0 ? (r) / 2 : -1)
#define EVEN_1(r) ((r) % 2 == 0 ? (r) / 2 + 1 : -1)
#define ODD_0(r) ((r) % 2 == 1 ? (r) / 2 + 1 : -1)
#define ODD_1(r) ((r) % 2 == 1 ? (r) / 2 + 2 : -1)
#define ADD_UPSAMPLED(quads_, array, blocks, pitch, place, firstTile)                      \
  for (int block = 0; block < blocks; ++block) {                                           \
    for (int dx = 0; dx < 2; ++dx) {                                                       \
      int from = place(block, row / 2 - 1, (own.column + 1) / 2 - 1 + dx) * 4 + pixel * 8 * PAIR_WORDS; \
      int tile = ownTile + firstTile + block * 16 + own.column % 2 * 8 + 4 * dx;           \
      for (int pair = 0; pair < 8; ++pair) {                                               \
        [[unroll]] for (int r = 0; r < CHUNK / 2 + 2; ++r) {                               \
          values[r] = TWO(array, from + pair * PAIR_WORDS + r * 4 * pitch);                             \
        }                                                                                  \
        ADD_TAP(tile, EVEN_0)                                                              \
        ADD_TAP(tile + 1, EVEN_1)                                                          \
        ADD_TAP(tile + 2, ODD_0)                                                           \
        ADD_TAP(tile + 3, ODD_1)                                                           \
      }                                                                                    \
    }                                                                                      \
  }

void computeRows(Place own, int first, int n, int pixel) {
  int row = own.row + first, block = own.block + n;
  int ownTile = firstLayerTile + block * inputTiles;
  vec2 values[CHUNK + 2];
  vec4 sums[4 * CHUNK];
  [[unroll]] for (int r = 0; r < CHUNK; ++r) {
    [[unroll]] for (int quad = 0; quad < 4; ++quad) {
      sums[4 * r + quad] = uintBitsToFloat(quads_bias.data[firstBias + block * 4 + quad]);
    }
  }
  ADD_SOURCES
  [[unroll]] for (int r = 0; r < CHUNK; ++r) {
    storePixel(own, first + r, n, pixel, sums[4 * r], sums[4 * r + 1], sums[4 * r + 2], sums[4 * r + 3]);
  }
}

void run(Pixel unused) {
  Place own = ownPlace();
  int pixel = int(gl_LocalInvocationID.x);
  if (pixel < 16 && own.part == 0 && own.firstRow < down) {
    for (int first = 0; first < ROWS; first += CHUNK) {
      for (int n = 0; n < WIDE; ++n) {
        if (own.block + n < outputBlocks) { computeRows(own, first, n, pixel); }
      }
    }
  }
  finishRows(own);
}
