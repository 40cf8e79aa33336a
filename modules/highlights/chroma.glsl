// As rawprep/chroma.glsl, of pixels that have all colours.
#include "shared/full.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_cells))) return;
  vec3 gains = vec3(param.red, param.green, param.blue);
  vec4 sum = vec4(0.0);
  for (int k = 0; k < cellSide * cellSide; ++k) {
    ivec2 q = cellSide * p.position + ivec2(k % cellSide, k / cellSide);
    bool isIn = all(lessThan(q, extent_state));
    vec3 v = load_state(min(q, extent_state - 1)).rgb;
    sum += weighed(Block(max(v, vec3(0.0)), isIn && all(lessThan(v, nearlyFull * gains))), gains);
  }
  store_cells(p.position, lightOf(sum, cellSide * cellSide));
}
