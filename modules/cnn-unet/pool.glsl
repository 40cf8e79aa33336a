// The largest of each 2 x 2 pixels, for unfused layers.

#include "larger.glsl"
#include "pass.glsl"

uvec4 heldAt(int block, int row, int column) {
  return quads_source0.data[place0(block, row, column) + laneOf()];
}

uvec4 computed(int block, int row, int column) {
  int y = 2 * row, x = 2 * column;
  return inRows(larger(larger(heldAt(block, y, x), heldAt(block, y, x + 1)),
                       larger(heldAt(block, y + 1, x), heldAt(block, y + 1, x + 1))));
}
