#include "resolve.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_output(p.position, resolved(Settings(param.blend, param.gamma, param.sampling == 1, false), p));
}
