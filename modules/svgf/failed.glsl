// One pixel of 8x8: 1 where it has no history. Their mean shows a camera cut.
#include "svgf/history.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  ivec2 last = extent_input - 1, at = min(8 * p.position + 4, last);
  if (!hasPixels(max(at - 1, 0), min(at + 1, last))) { return; }
  Reprojection r = historyOf(at, unpackSurface(packedSurface(at, extent_input)), idAt(at), extent_input);
  array_mask.data[p.position.y * p.extent.x + p.position.x] = r.found ? 0.0 : 1.0;
}
