// The most that a block's colours are below zero; 0 if none is.
#include "shared/block_cells.glsl"
#include "shared/colour.glsl"

shared vec3 most[threads];

void run(Pixel p) {
  int cell = ownCell(), first = firstCell(), own = first + cell;
  bool inside = all(lessThan(p.position, p.extent));
  most[own] = inside && param.lift ? max(-asColour(load_input(p.position)).rgb, vec3(0.0)) : vec3(0.0);
  barrier();
  for (int half_ = blockCells / 2; half_ > 0; half_ /= 2) {
    if (cell < half_) { most[own] = max(most[own], most[own + half_]); }
    barrier();
  }
  if (cell == 0 && inside) { store_below(p.position / blockSide, vec4(most[first], 0.0)); }
}
