// The group's sums go to shared memory, and from there to the layer's output.

#if USES_MATRICES
#if IS_LAST
#define STORE_SUM(cell, sum) MATRIX_STORE_C(cells, cell, sum, matrixRows, 4);
void finishRows(Place own) {
  MATRIX_BARRIER;
  [[unroll]] for (int two = 0; two < ROWS; two += 2) {
    int row = two + laneOf() / 16;
    if (row < ROWS && own.part == 0 && own.row + row >= own.firstRow) {
      int pixel = laneOf() % 16;
      ivec2 position = positionOf(own.row + row, own.column, pixel);
      for (int quad = 0; quad < QUADS; ++quad) {
        finish(position, quad, cells[cellOf(groupOf(), row, 0) + 4 * pixel + quad]);
      }
    }
  }
}
#else
#define STORE_SUM(cell, sum)                                     \
  {                                                              \
    MatrixH halves = matrixToHalf(sum);                          \
    MATRIX_STORE_H(cells, cell, halves, matrixRows, 2);          \
  }
void finishRows(Place own) { keepFragments(own); }
#endif

#else
// The 16 channels of a pixel, in the group's row r and block n.
void storePixel(Place own, int r, int n, int pixel, vec4 a, vec4 b, vec4 c, vec4 d) {
  vec4 quads[4] = vec4[](a, b, c, d);
#if IS_LAST
  if (own.row + r < own.firstRow || own.row + r >= down) { return; }
  for (int quad = 0; quad < QUADS; ++quad) {
    finish(positionOf(own.row + r, own.column, pixel), quad, floatBitsToUint(quads[quad]));
  }
#else
  int cell = cellOf(groupOf(), r, n) + PIXEL_CELLS * pixel;
  [[unroll]] for (int i = 0; i < PIXEL_CELLS; ++i) {
    int quad = 4 / PIXEL_CELLS * i;
    cells[cell + i] = cellOfChannels(quads[quad], quads[min(quad + 1, 3)]);
  }
#endif
}
void finishRows(Place own) {
#if !IS_LAST
  keepFragments(own);
#endif
}
#endif
