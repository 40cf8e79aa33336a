// As means.glsl, by an invocation for each block.
#include "shared/blocks.glsl"
#include "shared/colour.glsl"

struct Cell {
  vec3 light, difference, squares;
  float count;
};

Cell cellAt(ivec2 p) {
  ivec2 at = min(p, extent_input - 1);
  vec3 noisy = asColour(load_noisy(at)).rgb, light = asColour(load_input(at)).rgb;
  bool count = p == at && isLight(noisy) && isLight(light);
  vec3 difference = count ? noisy - light : vec3(0.0);
  precise vec3 squares = difference * difference;
  return Cell(count ? light : vec3(0.0), difference, squares, count ? 1.0 : 0.0);
}

Cell joined(Cell a, Cell b) {
  precise vec3 squares = a.squares + b.squares;
  return Cell(a.light + b.light, a.difference + b.difference, squares, a.count + b.count);
}

#include "shared/block_tree.glsl"

void run(Pixel p) {
  ivec2 first = firstOf(p);
  if (any(greaterThanEqual(first, p.extent))) { return; }
  Cell sum = blockAt(first);
  ivec2 block = first / blockSide;
  store_light(block, vec4(sum.light, sum.count));
  store_difference(block, vec4(sum.difference, 0.0));
  store_squares(block, vec4(sum.squares, 0.0));
}
