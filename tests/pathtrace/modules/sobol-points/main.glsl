#include "pathtrace/sampler.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  uint index = uint(param.first) + uint(p.position.x);
  Points points = pointsOf(ivec2(3, 5), index, param.seed);
  store_output(p.position, pointOf(points, uint(p.position.y)));
  store_plain(p.position, bitfieldReverse(uvec2(index, secondReversed(index))));
}
