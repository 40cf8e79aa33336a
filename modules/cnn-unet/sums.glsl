// The last layer's results for the region's core, which begins at its pixel (coreX, coreY), pixel after pixel in QUADS of
// four.

void finish(ivec2 p, int quad, uvec4 v) {
  ivec2 at = p - ivec2(coreX, coreY);
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(coreWidth, coreHeight)))) { return; }
  quads_output.data[(at.y * coreWidth + at.x) * QUADS + quad] = v;
}
