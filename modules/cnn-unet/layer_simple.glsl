// A layer by the study's simple convolution (5.2, 5.3): a group computes one fragment after the other. For
// each block of the input and each of nine taps it loads the input's fragment and the weights from global
// memory; nothing is kept for a neighbour.

#if USES_MATRICES
#define ADD_PRODUCT(quads_, words_, fragment, tile)               \
  {                                                               \
    MatrixA a;                                                    \
    MatrixB b;                                                    \
    MATRIX_LOAD_FRAGMENT_A(a, quads_, fragment);                  \
    MATRIX_LOAD_FRAGMENT_B(b, quads_packed.data, (tile) * 32);    \
    sum = matrixMultiplyAdd(a, b, sum);                           \
  }
#else
#define UNROLL [[dont_unroll]]
void addPair(inout vec4 sum, vec2 two, uvec4 words) {
  vec2 w0 = unpackHalf2x16(words.x), w1 = unpackHalf2x16(words.y), w2 = unpackHalf2x16(words.z),
       w3 = unpackHalf2x16(words.w);
  sum += two.x * vec4(w0.x, w1.x, w2.x, w3.x) + two.y * vec4(w0.y, w1.y, w2.y, w3.y);
}
#define ADD_PRODUCT(quads_, words_, fragment, tile)                               \
  for (int pair = 0; pair < 8; ++pair) {                                          \
    vec2 two = unpackHalf2x16(words_[(fragment) * 4 + pixel * 8 + pair]);         \
    [[unroll]] for (int quad = 0; quad < QUADS; ++quad) {                         \
      addPair(sum[quad], two, quads_weights.data[(tile) * 32 + 4 * pair + quad]); \
    }                                                                             \
  }
#endif

// halvings: 1 if the source is read upsampled.
#define ADD_NINE(quads_, words_, blocks, place, firstTile, halvings)                                \
  for (int block = 0; block < blocks; ++block) {                                                    \
    UNROLL for (int dx = 0; dx < 3; ++dx) {                                                         \
      UNROLL for (int dy = 0; dy < 3; ++dy) {                                                       \
        int fragment = place(block, (row + dy - 1) >> halvings, (own.column + dx - 1) >> halvings); \
        ADD_PRODUCT(quads_, words_, fragment, ownTile + firstTile + block * 9 + dx * 3 + dy)        \
      }                                                                                             \
    }                                                                                               \
  }
#define ADD_SAME(quads_, words_, blocks, pitch, place, firstTile) \
  ADD_NINE(quads_, words_, blocks, place, firstTile, 0)
#define ADD_UPSAMPLED(quads_, words_, blocks, pitch, place, firstTile) \
  ADD_NINE(quads_, words_, blocks, place, firstTile, 1)

void computeFragment(Place own, int r, int ownTile) {
  int row = own.row + r;
#if USES_MATRICES
  MatrixC sum;
  MATRIX_LOAD_C(sum, quads_bias.data, firstBias + own.block * 4, matrixRows, 0);
  ADD_SOURCES
  STORE_SUM(cellOf(groupOf(), r, 0), sum)
#else
  int pixel = int(gl_LocalInvocationID.x);
  if (pixel >= 16) { return; }
  vec4 sum[4];
  [[unroll]] for (int quad = 0; quad < 4; ++quad) {
    sum[quad] = uintBitsToFloat(quads_bias.data[firstBias + own.block * 4 + quad]);
  }
  ADD_SOURCES
  storePixel(own, r, 0, pixel, sum[0], sum[1], sum[2], sum[3]);
#endif
}

void run(Pixel unused) {
  Place own = ownPlace();
  if (own.firstRow < down) {
    [[dont_unroll]] for (int r = 0; r < ROWS; ++r) {
      computeFragment(own, r, firstLayerTile + own.block * inputTiles);
    }
  }
  finishRows(own);
}
