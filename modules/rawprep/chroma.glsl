// The colour of light that is nearly full, in cells of 12x12 pixels.
#include "sensor.glsl"

Block blockAt(ivec2 first, int side, vec3 gains) {
  vec3 sum = vec3(0.0), count = vec3(0.0);
  bool isFull = false;
  for (int k = 0; k < side * side; ++k) {
    ivec2 q = first + ivec2(k % side, k / side);
    bool isIn = isInside(q);
    vec3 isOf = vec3(equal(ivec3(isIn ? colourAt_state(q) : -1), ivec3(0, 1, 2)));
    float v = valueAt(q);
    sum += max(v, 0.0) * isOf;
    count += isOf;
    isFull = isFull || (isIn && v >= nearlyFull * dot(gains, isOf));
  }
  return Block(sum / max(count, vec3(1.0)), !isFull && all(greaterThan(count, vec3(0.0))));
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_cells))) return;
  vec3 gains = sensor().gains;
  int side = pattern_state == 6 ? 3 : 2;
  int across = cellSide / side;
  vec4 sum = vec4(0.0);
  for (int k = 0; k < across * across; ++k)
    sum += weighed(blockAt(cellSide * p.position + side * ivec2(k % across, k / across), side, gains), gains);
  store_cells(p.position, lightOf(sum, across * across));
}
