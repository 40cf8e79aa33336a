#include "shared/geometry.glsl"

// Far enough to differ from every surface, and finite, so that two such pixels compare as equal.
const float farthest = 1e10;

void apply(Inputs i, inout Outputs o, Pixel p) {
  float depth = isnan(i.depth) ? farthest : clamp(i.depth, -farthest, farthest);
  o.geometry = uvec2(encodeNormal(i.normal), floatBitsToUint(depth));
}
