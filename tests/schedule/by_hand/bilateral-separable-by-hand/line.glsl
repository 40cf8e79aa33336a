// The bilateral filter of one dimension: Pham and van Vliet 2005, as in section 4.1 of Larsson 2015. A thread
// filters N pixels one after the other along `direction`, (1, 0) or (0, 1), so that a tap is loaded and
// unpacked once for them.

#extension GL_EXT_control_flow_attributes : enable
#include "common/bilateral.glsl"
#include "shared/border.glsl"

int along(ivec2 v, ivec2 direction) { return v.x * direction.x + v.y * direction.y; }

// A tap outside of a pixel's reach is branched around, not weighed by 0: it may be a NaN.
void gatherTap(inout Acc a[N], GUIDE centres[N], Tap t, int d, float k) {
  [[unroll]] for (int o = 0; o < N; ++o) {
    if (abs(d - o) <= RADIUS) {
      gather(a[o], centres[o], t, array_weights.data[abs(d - o)], k);
    }
  }
}

// The pixels from `at` on.
void filterLine(inout Acc a[N], ivec2 at, ivec2 direction, ivec2 extent) {
  int first = along(at, direction);
  int side = along(extent, direction);
  ivec2 base = at - first * direction;
  float k = falloff();
  GUIDE centres[N];
  [[unroll]] for (int o = 0; o < N; ++o) {
    a[o] = start();
    centres[o] = edgesOf(tapAt(base + min(first + o, side - 1) * direction));
  }
  for (int d = -RADIUS; d < RADIUS + N; ++d) {
    if (BORDER != borderZeroWeight || uint(first + d) < uint(side)) {
      gatherTap(a, centres, tapAt(base + borderIndex(first + d, side, BORDER) * direction), d, k);
    }
  }
}
