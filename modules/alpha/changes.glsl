// Along an edge alpha stays; noise changes it in all directions. A block's sums of both changes show which of
// them it has.

#define RADIUS 2
#include "shared/block_cells.glsl"
#include "tile.glsl"

shared vec2 partial[threads];

void run(Pixel p) {
  fillTile(p);
  barrier();
  int cell = ownCell(), first = firstCell(), own = first + cell;
  bool isThere = all(lessThan(p.position, p.extent));
  partial[own] = isThere ? sqrt(changesAround(ownPlace())) : vec2(0.0);
  barrier();
  for (int half_ = blockCells / 2; half_ > 0; half_ /= 2) {
    if (cell < half_) { partial[own] += partial[own + half_]; }
    barrier();
  }
  if (cell == 0 && isThere) { store_blocks(p.position / blockSide, partial[first]); }
}
