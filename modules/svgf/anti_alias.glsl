#include "taa/resolve.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  bool cut = !has_motion || param.cut || array_failed.data[0] > param.cut_share;
  store_output(p.position, resolved(Settings(param.taa_blend, 1.25, true, cut), p));
}
