// The alpha of a workgroup's pixels and of those around them, in shared memory, and how it changes there. The
// includer defines RADIUS, of the windows.

#include "shared/colour.glsl"

const int margin = RADIUS + 1;
const int tileWidth = int(gl_WorkGroupSize.x) + 2 * margin, tileHeight = int(gl_WorkGroupSize.y) + 2 * margin;
const int windowPixels = (2 * RADIUS + 1) * (2 * RADIUS + 1);
shared float alphas[tileWidth * tileHeight];

// Beyond the edges the last pixel repeats. Values outside 0 to 1 count as the nearest value inside.
void fillTile(Pixel p) {
  ivec2 corner = p.position - ivec2(gl_LocalInvocationID.xy) - margin;
  for (int i = int(gl_LocalInvocationIndex); i < tileWidth * tileHeight;
       i += int(gl_WorkGroupSize.x * gl_WorkGroupSize.y)) {
    ivec2 at = clamp(corner + ivec2(i % tileWidth, i / tileWidth), ivec2(0), extent_input - 1);
    alphas[i] = toUnit(load_input(at).a);
  }
}

int ownPlace() {
  return (int(gl_LocalInvocationID.y) + margin) * tileWidth + int(gl_LocalInvocationID.x) + margin;
}

// Mean squares of the gradient (central differences) over a window: along the direction in which alpha
// changes the most, and across.
vec2 changesAround(int place) {
  vec3 sum = vec3(0.0);
  for (int y = -RADIUS; y <= RADIUS; ++y) {
    for (int x = -RADIUS; x <= RADIUS; ++x) {
      int at = place + y * tileWidth + x;
      vec2 g = vec2(alphas[at + 1] - alphas[at - 1], alphas[at + tileWidth] - alphas[at - tileWidth]);
      sum += vec3(g * g, g.x * g.y);
    }
  }
  sum /= float(windowPixels);
  float middle = 0.5 * (sum.x + sum.y), half_ = length(vec2(0.5 * (sum.x - sum.y), sum.z));
  return vec2(middle + half_, max(middle - half_, 0.0));
}
