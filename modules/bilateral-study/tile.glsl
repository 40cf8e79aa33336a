// A tile of the image in shared memory, as the image's own words: Larsson 2015, section 5.2.2. The including
// file defines STRIDE, the cells of a row, and TILE, the number of cells with pixels.

#define ROWS (int(gl_WorkGroupSize.y) + 2 * RADIUS)

shared word_input tile[STRIDE * ROWS];
#if channels_guide > 0
shared word_guide guideTile[STRIDE * ROWS];
#endif

// The pixel at `at`, which may lie outside the image.
void fillCell(int cell, ivec2 at, ivec2 extent) {
  at = ivec2(borderIndex(at.x, extent.x, BORDER), borderIndex(at.y, extent.y, BORDER));
  tile[cell] = raw_input(at);
#if channels_guide > 0
  guideTile[cell] = raw_guide(at);
#endif
}

// Columns from `first` to before `end` of all rows, by the whole workgroup; column 0 is at origin - RADIUS.
void fillColumns(int first, int end, ivec2 origin, ivec2 extent) {
  int width = end - first;
  int threads = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);
  for (int i = int(gl_LocalInvocationIndex); i < width * ROWS; i += threads) {
    int row = i / width;
    int column = first + i - row * width;
    fillCell(row * STRIDE + column, origin + ivec2(column, row) - RADIUS, extent);
  }
}

Tap cellAt(int cell) {
#if channels_guide > 0
  return Tap(colourOf(tile[cell]), guideOf(guideTile[cell]));
#else
  return Tap(colourOf(tile[cell]));
#endif
}

// A pixel whose cell is `cell`.
void filterCell(int cell, ivec2 at, ivec2 extent) {
  if (any(greaterThanEqual(at, extent)) || isKept(at, extent)) { return; }
  GUIDE centre = edgesOf(cellAt(cell));
  float k = falloff();
  Acc a = start();
  ivec2 rows = borderTaps(at.y, extent.y, param.radius, BORDER);
  ivec2 columns = borderTaps(at.x, extent.x, param.radius, BORDER);
  for (int dy = rows.x; dy <= rows.y; ++dy) {
    ivec2 reach = reachOf(dy, columns);
    for (int dx = reach.x; dx <= reach.y; ++dx) {
      gather(a, centre, cellAt(cell + dy * STRIDE + dx), spatialWeight(dx, dy), k);
    }
  }
  finish(a, at);
}
