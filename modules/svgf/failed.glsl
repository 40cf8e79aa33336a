// One pixel of 8x8: 1 where it has no history. Their mean shows a camera cut.
#include "svgf/history.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  ivec2 at = min(8 * p.position + 4, extent_input - 1);
  Reprojection r = historyOf(at, unpackSurface(packedSurface(at, extent_input)), idAt(at), extent_input);
  store_mask(p.position, r.found ? 0.0 : 1.0);
}
