// Loops of known length, by specialization constants, over padded tiles: Larsson 2015, section 5.2.3, version
// 8. The compiler unrolls the N tiles and the row's taps; all rows at once would be thousands of taps for
// large radii.

#extension GL_EXT_control_flow_attributes : enable
#include "bilateral.glsl"

#define WIDTH int(gl_WorkGroupSize.x)
#define TILE (N * WIDTH + 2 * RADIUS)
#define STRIDE ((2 * RADIUS + WIDTH * (N - 1) + 31) / 32 * 32 + WIDTH)
#include "tile.glsl"

void filterUnrolled(int cell, ivec2 at, ivec2 extent) {
  if (any(greaterThanEqual(at, extent)) || isKept(at, extent)) { return; }
  GUIDE centre = edgesOf(cellAt(cell));
  float k = falloff();
  Acc a = start();
  ivec2 rows = borderTaps(at.y, extent.y, RADIUS, BORDER);
  ivec2 columns = borderTaps(at.x, extent.x, RADIUS, BORDER);
  for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
    if (dy < rows.x || dy > rows.y) { continue; }
    ivec2 reach = reachOf(dy, columns);
    [[unroll]] for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      if (dx >= reach.x && dx <= reach.y) {
        gather(a, centre, cellAt(cell + dy * STRIDE + dx), spatialWeight(dx, dy), k);
      }
    }
  }
  finish(a, at);
}

void run(Pixel p) {
  ivec2 origin = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) * ivec2(N, 1);
  fillColumns(0, TILE, origin, p.extent);
  barrier();
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  [[unroll]] for (int n = 0; n < N; ++n) {
    filterUnrolled((local.y + RADIUS) * STRIDE + local.x + RADIUS, origin + local, p.extent);
    local.x += WIDTH;
  }
}
