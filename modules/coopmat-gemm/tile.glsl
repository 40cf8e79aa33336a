// A tile of a factor in shared memory: `width` lines, DEPTH numbers of each, eight a cell. Rows of cells have one more than they need,
// so that 8 of them one below the other lie in different banks. What lies by depth stays so.

#include "sizes.glsl"

#define TILE_CELLS(layout_, width) (layout_ == byDepth ? DEPTH * (width / 8 + 1) : width * (DEPTH / 8 + 1))
#define TILE_STRIDE(layout_, width) ((layout_ == byDepth ? width : DEPTH) / 8 + 1)

// The quad q of a tile, in the order of memory: its line, how deep it is, and its cell.
int lineOf(int layout_, int width, int q) {
  return layout_ == byLines ? q / (DEPTH / 8) : layout_ == byDepth ? q % (width / 8) * 8 : q % (2 * width) / 2;
}
int depthOf(int layout_, int width, int q) {
  return layout_ == byLines   ? q % (DEPTH / 8) * 8
         : layout_ == byDepth ? q / (width / 8)
                              : q / (2 * width) * 16 + q % 2 * 8;
}
int cellAt(int layout_, int width, int line, int k) {
  return layout_ == byDepth ? k * (width / 8 + 1) + line / 8 : line * (DEPTH / 8 + 1) + k / 8;
}
int cellOf(int layout_, int width, int q) {
  return cellAt(layout_, width, lineOf(layout_, width, q), depthOf(layout_, width, q));
}

// Where the quad is in memory, in the first tile along p of those that begin at a line, and how far on in the next. Lines beyond the
// last one are others, which nobody looks at.
int quadOf(int layout_, int lines, int width, int first, int q) {
  int line = min(first + lineOf(layout_, width, q), layout_ == byDepth ? lines - 8 : lines - 1);
  return placeOf(layout_, lines, line, depthOf(layout_, width, q)) / 8;
}
int stepOf(int layout_, int lines) { return (layout_ == byLines ? DEPTH : DEPTH * lines) / 8; }
