#include "line.glsl"

void run(Pixel p) {
  ivec2 at = p.position * ivec2(N, 1);
  if (any(greaterThanEqual(at, p.extent))) { return; }
  Acc a[N];
  filterLine(a, at, ivec2(1, 0), p.extent);
  [[unroll]] for (int o = 0; o < N; ++o) {
    if (at.x + o < p.extent.x) {
      finish(a[o], at + ivec2(o, 0));
    }
  }
}
