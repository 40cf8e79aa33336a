// The last layer's results for the region's core, which begins at `core` of it, pixel after pixel in QUADS of
// four.

void finish(ivec2 p, int quad, uvec4 v) {
  ivec2 at = p - core;
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, coreSize))) { return; }
  quads_output.data[(at.y * coreSize.x + at.x) * QUADS + quad] = v;
}
