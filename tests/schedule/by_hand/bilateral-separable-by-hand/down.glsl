// If pixels near the border are unchanged, they are those of the module's input.
#define format_values format_original
#include "line.glsl"

void run(Pixel p) {
  ivec2 at = p.position * ivec2(1, N);
  if (any(greaterThanEqual(at, p.extent))) { return; }
  Acc a[N];
  filterLine(a, at, ivec2(0, 1), p.extent);
  [[unroll]] for (int o = 0; o < N; ++o) {
    ivec2 own = at + ivec2(0, o);
    if (own.y < p.extent.y && borderKeeps(own, p.extent, RADIUS, BORDER)) {
      store_output(own, load_original(own));
    } else if (own.y < p.extent.y) {
      finish(a[o], own);
    }
  }
}
