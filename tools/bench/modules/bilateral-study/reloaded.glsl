// 1xN tiling in the study's other form: Larsson 2015, section 5.2.3, version 7. Shared memory holds one tile;
// when that is filtered, the part that the next one shares moves to the left, and the rest is loaded. Rows as
// in equation 5.3.

#include "bilateral.glsl"

#define WIDTH int(gl_WorkGroupSize.x)
#define TILE (WIDTH + 2 * RADIUS)
#define STRIDE ((2 * RADIUS + 31) / 32 * 32 + WIDTH)
#include "tile.glsl"

// Moves the last 2 RADIUS columns to the left, WIDTH at a time, so that source and target don't overlap.
void moveColumns() {
  for (int first = 0; first < 2 * RADIUS; first += WIDTH) {
    int width = min(WIDTH, 2 * RADIUS - first);
    for (int i = int(gl_LocalInvocationIndex); i < width * ROWS; i += WIDTH * int(gl_WorkGroupSize.y)) {
      int row = i / width;
      int cell = row * STRIDE + first + i - row * width;
      tile[cell] = tile[cell + WIDTH];
#if channels_guide > 0
      guideTile[cell] = guideTile[cell + WIDTH];
#endif
    }
    barrier();
  }
}

void run(Pixel p) {
  ivec2 origin = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy) * ivec2(N, 1);
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  fillColumns(0, TILE, origin, p.extent);
  for (int n = 0; n < N; ++n) {
    barrier();
    filterCell((local.y + RADIUS) * STRIDE + local.x + RADIUS, origin + local, p.extent);
    if (n + 1 < N) {
      origin.x += WIDTH;
      barrier();
      moveColumns();
      fillColumns(2 * RADIUS, TILE, origin, p.extent);
    }
  }
}
