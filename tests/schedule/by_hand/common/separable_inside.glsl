// The second pass of separable.glsl's with valid-only: pixels near the border are those of the module's
// input, which is an image `original`.
#include "common/separable.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  if (borderKeeps(p.position, p.extent, filterRadius(), param.border)) {
    store_output(p.position, load_original(p.position));
  } else {
    filterAlong(p, ivec2(0, 1));
  }
}
