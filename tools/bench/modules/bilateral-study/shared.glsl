// Larsson 2015, section 5.2.2, versions 3 and 4: a workgroup's pixels and the border around them in shared
// memory. With PADDED 1 rows have the length of equation 5.3, which keeps a subgroup's reads in different
// banks.

#include "bilateral.glsl"

#define TILE (int(gl_WorkGroupSize.x) + 2 * RADIUS)
#define STRIDE (PADDED != 0 ? (2 * RADIUS + 31) / 32 * 32 + int(gl_WorkGroupSize.x) : TILE)
#include "tile.glsl"

void run(Pixel p) {
  ivec2 origin = ivec2(gl_WorkGroupID.xy * gl_WorkGroupSize.xy);
  fillColumns(0, TILE, origin, p.extent);
  barrier();
  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  filterCell((local.y + RADIUS) * STRIDE + local.x + RADIUS, p.position, p.extent);
}
