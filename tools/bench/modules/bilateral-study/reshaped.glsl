// The tile without padding, with subgroups in a shape that has no bank conflicts: Dolp, Hanika, Dachsbacher
// 2024, section 3.5. If the rows of a tile are TILE cells apart, rows of as many cells as the largest power
// of two that divides TILE are in different banks; a subgroup takes as many of them as there are banks for.
// If that shape can't cover the workgroup, subgroups are rows, as in shared.glsl.

#include "bilateral.glsl"

#define TILE (int(gl_WorkGroupSize.x) + 2 * RADIUS)
#define STRIDE TILE
#include "tile.glsl"

#if format_input == format_f32 && channels_input > 1
#define CELLS 8  // that the banks serve at once
#elif format_input == format_f32 || format_input == format_u8 || channels_input < 3
#define CELLS 32
#else
#define CELLS 16
#endif

ivec2 localPixel() {
  ivec2 size = ivec2(gl_WorkGroupSize.xy);
  int tile = TILE;
  int pattern = min(tile & -tile, CELLS);
  int patternRows = CELLS / pattern;
  int i = int(gl_LocalInvocationIndex);
  int across = max(size.x / pattern, 1);
  int block = i / CELLS;
  int inside = i % CELLS;
  ivec2 shaped =
      ivec2(block % across * pattern + inside % pattern, block / across * patternRows + inside / pattern);
  bool covers = size.x % pattern == 0 && size.y % patternRows == 0;
  return covers ? shaped : ivec2(gl_LocalInvocationID.xy);
}

void run(Pixel p) {
  ivec2 origin = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy);
  fillColumns(0, TILE, origin, p.extent);
  barrier();
  ivec2 local = localPixel();
  filterCell((local.y + RADIUS) * STRIDE + local.x + RADIUS, origin + local, p.extent);
}
