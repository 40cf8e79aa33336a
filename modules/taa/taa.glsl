#include "resolve.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_output(p.position, resolved(p));
}
