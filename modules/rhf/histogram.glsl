// Places in the pictures of a scale. `width`, `height` and `bins`, those of all colours, come from the
// module's native code.

// Number of pixels between this one and the border.
int roomAt(ivec2 p) { return min(min(p.x, p.y), min(width - 1 - p.x, height - 1 - p.y)); }

bool contains(ivec2 p) {
  return all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, ivec2(width, height)));
}
