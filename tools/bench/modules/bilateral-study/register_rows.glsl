// A thread filters N pixels below each other, so that a tap is loaded and unpacked once for all of them:
// loads take most of the filter's time on CPUs, and the instructions around them a third of it on GPUs.

#extension GL_EXT_control_flow_attributes : enable

// Integers have no NaN and no infinity, so taps outside the support count with a weight of 0 instead of a
// branch, which is the same sum.
#define WEIGHS_ALL (format_input <= format_u16 && format_edges <= format_u16)

// The Gaussian of one dimension: products of two of them are the spatial weights. With FUSED_EXPONENT these
// are logarithms.
#ifdef FUSED_EXPONENT
const float noWeight = -1e30;
float gaussian(int d) { return float(d * d) * -0.72134752 / (param.sigma_space * param.sigma_space); }
float joined(float a, float b) { return a + b; }
#else
const float noWeight = 0.0;
float gaussian(int d) { return array_weights.data[4032 + abs(d)]; }
float joined(float a, float b) { return a * b; }
#endif

bool isInside(int dx, int dy) {
  return abs(dy) <= RADIUS && (DISTANCE != 3 || dx * dx + dy * dy <= RADIUS * RADIUS);
}

Tap tapOf(ivec2 at, ivec2 extent) {
  return tapAt(ivec2(borderIndex(at.x, extent.x, BORDER), borderIndex(at.y, extent.y, BORDER)));
}

// The tap at `from`, `offset` away from the first pixel; `rows`: the Gaussians of the pixels' distances from
// its row.
void gatherTap(inout Acc a[N], GUIDE centres[N], ivec2 from, ivec2 offset, float rows[N], float k) {
  Tap t = tapAt(from);
  float column = gaussian(offset.x);
  [[unroll]] for (int o = 0; o < N; ++o) {
#if WEIGHS_ALL
    gather(a[o], centres[o], t, isInside(offset.x, offset.y - o) ? joined(column, rows[o]) : noWeight, k);
#else
    if (isInside(offset.x, offset.y - o)) {
      gather(a[o], centres[o], t, joined(column, rows[o]), k);
    }
#endif
  }
}

// Adds the row of taps `dy` below the first pixel to every pixel that it reaches.
void gatherRow(inout Acc a[N], GUIDE centres[N], ivec2 at, int dy, ivec2 columns, ivec2 extent, float k) {
  int y = borderIndex(at.y + dy, extent.y, BORDER);
  float rows[N];
  [[unroll]] for (int o = 0; o < N; ++o) {
    rows[o] = abs(dy - o) <= RADIUS ? gaussian(dy - o) : noWeight;
  }
  for (int dx = columns.x; dx <= columns.y; ++dx) {
#if small_input
    int x = borderIndex(at.x + dx, extent.x, BORDER);
#else
    int x = borderIndexNear(at.x + dx, extent.x, BORDER);
#endif
    gatherTap(a, centres, ivec2(x, y), ivec2(dx, dy), rows, k);
  }
}

void filterRows(Pixel p) {
  ivec2 at = p.position * ivec2(1, N);
  if (any(greaterThanEqual(at, p.extent))) { return; }
  float k = falloff();
  Acc a[N];
  GUIDE centres[N];
  [[unroll]] for (int o = 0; o < N; ++o) {
    a[o] = start();
    centres[o] = edgesOf(tapOf(min(at + ivec2(0, o), p.extent - 1), p.extent));
  }
  ivec2 columns = borderTaps(at.x, p.extent.x, RADIUS, BORDER);
  for (int dy = -RADIUS; dy < RADIUS + N; ++dy) {
    if (BORDER != 3 || uint(at.y + dy) < uint(p.extent.y)) {
      gatherRow(a, centres, at, dy, columns, p.extent, k);
    }
  }
  [[unroll]] for (int o = 0; o < N; ++o) {
    ivec2 own = at + ivec2(0, o);
    if (own.y < p.extent.y && !isKept(own, p.extent)) {
      finish(a[o], own);
    }
  }
}
