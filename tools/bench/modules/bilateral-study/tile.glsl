// A tile of the image in shared memory, as the image's own words: Larsson 2015, section 5.2.2. The including
// file defines STRIDE, the cells of a row, and TILE, the number of cells with pixels; BYTES for pixels
// without unused bytes, as in version 3.

#define ROWS (int(gl_WorkGroupSize.y) + 2 * RADIUS)

#ifdef BYTES
const int pixelBytes = channels_input;
#define TILE_WORDS ((STRIDE * ROWS * pixelBytes + 3) / 4)
shared uint tile[TILE_WORDS];

void keep(int cell, uint word) {
  int first = cell * pixelBytes, shift = 8 * (first & 3);
  word &= 0xffffffffu >> (32 - 8 * pixelBytes);
  atomicOr(tile[first >> 2], word << shift);
  if (shift + 8 * pixelBytes > 32) { atomicOr(tile[(first >> 2) + 1], word >> (32 - shift)); }
}

uint kept(int cell) {
  uint word = 0u;
  for (int c = 0; c < pixelBytes; ++c) {
    int at = cell * pixelBytes + c;
    word |= (tile[at >> 2] >> 8 * (at & 3) & 255u) << 8 * c;
  }
  return word;
}
#else
shared word_input tile[STRIDE * ROWS];
void keep(int cell, word_input word) { tile[cell] = word; }
word_input kept(int cell) { return tile[cell]; }
#endif
#if channels_guide > 0
shared word_guide guideTile[STRIDE * ROWS];
#endif

// The pixel at `at`, which may lie outside the image.
void fillCell(int cell, ivec2 at, ivec2 extent) {
  at = ivec2(borderIndex(at.x, extent.x, BORDER), borderIndex(at.y, extent.y, BORDER));
  keep(cell, raw_input(at));
#if channels_guide > 0
  guideTile[cell] = raw_guide(at);
#endif
}

// Columns from `first` to before `end` of all rows, by the whole workgroup; column 0 is at origin - RADIUS.
void fillColumns(int first, int end, ivec2 origin, ivec2 extent) {
  int width = end - first;
  int threads = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);
#ifdef BYTES
  for (int i = int(gl_LocalInvocationIndex); i < TILE_WORDS; i += threads) { tile[i] = 0u; }
  barrier();
#endif
  for (int i = int(gl_LocalInvocationIndex); i < width * ROWS; i += threads) {
    int row = i / width;
    int column = first + i - row * width;
    fillCell(row * STRIDE + column, origin + ivec2(column, row) - RADIUS, extent);
  }
}

Tap cellAt(int cell) {
#if channels_guide > 0
  return Tap(colourOf(kept(cell)), guideOf(guideTile[cell]));
#else
  return Tap(colourOf(kept(cell)));
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
