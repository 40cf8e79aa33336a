// As blur_across.glsl, along columns; channels lie below each other.
#include "blur.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int rows = channels_input == 1 ? p.extent.y : p.extent.y / 3;
  int cell = p.position.y % rows;
  blur(p.position, ivec2(0, 1), cell, rows - 1 - cell, param.sigma_space / float(CELL), 0.25);
}
