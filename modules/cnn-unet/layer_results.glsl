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
uvec4 packedEight(vec4 a, vec4 b) {
  return uvec4(packHalf2x16(a.xy), packHalf2x16(a.zw), packHalf2x16(b.xy), packHalf2x16(b.zw));
}
// The 16 channels of a pixel, in the group's row r and block n.
void storePixel(Place own, int r, int n, int pixel, vec4 a, vec4 b, vec4 c, vec4 d) {
#if IS_LAST
  if (own.row + r < own.firstRow) { return; }
  vec4 quads[4] = vec4[](a, b, c, d);
  for (int quad = 0; quad < QUADS; ++quad) {
    finish(positionOf(own.row + r, own.column, pixel), quad, floatBitsToUint(quads[quad]));
  }
#else
  int cell = cellOf(groupOf(), r, n) + 2 * pixel;
  cells[cell] = packedEight(a, b);
  cells[cell + 1] = packedEight(c, d);
#endif
}
void finishRows(Place own) {
#if !IS_LAST
  keepFragments(own);
#endif
}
#endif
