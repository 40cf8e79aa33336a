// Pixels are added to cells as a box, of variance 1/12, and read between cells by a hat of variance 1/6.
#include "blur.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int cell = p.position.x / LEVELS;
  blur(p.position, ivec2(LEVELS, 0), cell, p.extent.x / LEVELS - 1 - cell, param.sigma_space / float(CELL),
       0.25);
}
