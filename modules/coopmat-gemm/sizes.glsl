// The product that a kernel computes: constants of the node, all of them whole numbers. `rows`, `inner` and
// `columns` are n, p and m; the factors in memory are as large as their next multiples of 16. `batchA`,
// `batchB` and `batchC` are the distances from one of a batch's matrices to the next, 0 if one serves all.
// The products of a batch lie below each other, `gridRows` apart.

const int rows16 = (rows + 15) / 16 * 16;
const int inner16 = (inner + 15) / 16 * 16;
const int columns16 = (columns + 15) / 16 * 16;

// The layout of a factor in memory. The factor's lines are rows of a, or columns of b.
const int byLines = 0;   // line by line: neighbours in memory are neighbours along p
const int byDepth = 1;   // number k of all lines, then number k + 1 of all
const int inPanels = 2;  // 16 numbers of each line, line by line, then the next 16 (panels.glsl)
// Panels, but each 16 lines of them are a matrix's fragments, 32 quads (fragments.glsl).
const int inFragments = 3;

// The place of number k of a line, of `lines` lines; in fragments, only for multiples of 16.
int placeOf(int layout_, int lines, int line, int k) {
  return layout_ == byLines   ? line * inner16 + k
         : layout_ == byDepth ? k * lines + line
                              : (k / 16 * lines + line) * 16 + k % 16;
}
int placeInA(int batch, int row, int k) { return batch * batchA + placeOf(layoutA, rows16, row, k); }
int placeInB(int batch, int column, int k) { return batch * batchB + placeOf(layoutB, columns16, column, k); }

// A place in the output: its batch, row and column.
struct Place {
  int batch, row, column;
};
Place placeAt(int x, int y) { return Place(y / gridRows, y % gridRows, x); }

// Blocks in an order in which concurrent ones share lines of both factors: 8 below each other, then the next
// column.
Place ownPlace(int blockWidth, int blockHeight) {
  const int band = 8;
  int across_ = int(gl_NumWorkGroups.x), down = int(gl_NumWorkGroups.y);
  int id = int(gl_WorkGroupID.y) * across_ + int(gl_WorkGroupID.x);
  int first = id / (band * across_) * band;
  int high = min(band, down - first);
  int inside = id - first * across_;
  return placeAt(inside / high * blockWidth, (first + inside % high) * blockHeight);
}
