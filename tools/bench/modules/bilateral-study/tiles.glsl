// 1xN tiling: Larsson 2015, section 5.2.3, versions 5 and 6. A workgroup filters N tiles beside each other;
// shared memory holds all of them. With PADDED 1 rows have the length of equation 5.4.

#include "bilateral.glsl"

#define WIDTH int(gl_WorkGroupSize.x)
#define TILE (N * WIDTH + 2 * RADIUS)
#define STRIDE (PADDED != 0 ? (2 * RADIUS + WIDTH * (N - 1) + 31) / 32 * 32 + WIDTH : TILE)
#include "tile.glsl"

void run(Pixel p) {
  ivec2 origin = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) * ivec2(N, 1);
  fillColumns(0, TILE, origin, p.extent);
  barrier();
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  for (int n = 0; n < N; ++n) {
    filterCell((local.y + RADIUS) * STRIDE + local.x + RADIUS, origin + local, p.extent);
    local.x += WIDTH;
  }
}
