// A tile of a factor in shared memory: `width` lines, DEPTH numbers of each, eight a cell. Factors stored by
// depth keep that order, in rows with an extra cell. Otherwise lines 16 apart lie side by side, followed by
// one empty cell. So the 8 cells that are read, or written, at a time are in different banks, with hardly any
// extra memory.

#include "sizes.glsl"

#define TILE_STRIDE(layout_, width) (layout_ == byDepth ? width / 8 + 1 : width / 16 * (DEPTH / 8) + 1)
#define TILE_CELLS(layout_, width) (TILE_STRIDE(layout_, width) * (layout_ == byDepth ? DEPTH : 16))

// The quad q of a tile, in about the order of memory: its line, its depth, and its cell. `together` of the 8
// quads that are written at a time belong to one line.
int spread(int line, const int together) {
  const int lines = 8 / together;
  return line / 8 * 8 + line % lines * together + line % 8 / lines;
}
int lineOf(int layout_, int width, int q) {
  return layout_ == byLines   ? spread(q / (DEPTH / 8), DEPTH / 8)
         : layout_ == byDepth ? q % (width / 8) * 8
                              : spread(q % (2 * width) / 2, 2);
}
int depthOf(int layout_, int width, int q) {
  return layout_ == byLines   ? q % (DEPTH / 8) * 8
         : layout_ == byDepth ? q / (width / 8)
                              : q / (2 * width) * 16 + q % 2 * 8;
}
int cellAt(int layout_, int width, int line, int k) {
  return layout_ == byDepth ? k * TILE_STRIDE(layout_, width) + line / 8
                            : line % 16 * TILE_STRIDE(layout_, width) + line / 16 * (DEPTH / 8) + k / 8;
}
int cellOf(int layout_, int width, int q) {
  return cellAt(layout_, width, lineOf(layout_, width, q), depthOf(layout_, width, q));
}

// The quad's place in memory in the first tile along p, for tiles that begin at a line, and its distance to
// the next tile's. Lines beyond the last one hold other data, which is ignored.
int quadOf(int layout_, int lines, int width, int first, int q) {
  int line = min(first + lineOf(layout_, width, q), layout_ == byDepth ? lines - 8 : lines - 1);
  return placeOf(layout_, lines, line, depthOf(layout_, width, q)) / 8;
}
int stepOf(int layout_, int lines) { return (layout_ == byLines ? DEPTH : DEPTH * lines) / 8; }
