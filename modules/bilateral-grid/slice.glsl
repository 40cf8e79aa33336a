#include "grid.glsl"

// The cells around a pixel, and its place between them.
struct Place {
  ivec2 cell;
  vec2 fraction;
};

Place placeOf(ivec2 pixel) {
  vec2 at = (vec2(pixel) + 0.5) / float(CELL) + 0.5;
  return Place(ivec2(at), fract(at));
}

// The mean of a channel whose grid begins in row `first`, interpolated linearly between cells and levels.
float meanAt(Place place, float level, int first) {
  int below = min(int(level), LEVELS - 2);
  vec3 after = vec3(level - float(below), place.fraction);
  vec2 cell = vec2(0.0);
  for (int i = 0; i < 8; ++i) {
    ivec3 side = ivec3(i, i >> 1, i >> 2) & 1;
    vec3 share = mix(1.0 - after, after, vec3(side));
    ivec2 at = ivec2((place.cell.x + side.y) * LEVELS + below + side.x, place.cell.y + side.z + first);
    cell += share.x * share.y * share.z * load_grid(at);
  }
  return cell.x / cell.y;
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Tap t = tapAt(p.position);
  if (!counts(t)) {
    store_output(p.position, load_input(p.position));
    return;
  }
  Place here = placeOf(p.position);
  COLOUR level = COLOUR(levelOf(t));
#if channels_input == 1
  COLOUR mean = meanAt(here, level, 0);
#else
  COLOUR mean;
  for (int c = 0; c < 3; ++c) {
    mean[c] = meanAt(here, level[c], c * extent_grid.y / 3);
  }
#endif
  Inputs i;
  i.input = load_input(p.position);
  place(mean * (1.0 / unit), i.input, i.input);
  store_output(p.position, i.input);
}
