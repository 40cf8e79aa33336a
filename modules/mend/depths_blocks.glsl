// As depths.glsl, by an invocation for each block.
#include "shared/blocks.glsl"
#include "shared/colour.glsl"

#define Cell vec3

vec3 cellAt(ivec2 p) {
  vec3 own = asColour(load_input(min(p, extent_input - 1))).rgb;
  return param.lift ? max(-own, vec3(0.0)) : vec3(0.0);  // one pixel more doesn't change the most
}

vec3 joined(vec3 a, vec3 b) { return max(a, b); }

#include "shared/block_tree.glsl"

void run(Pixel p) {
  ivec2 first = firstOf(p);
  if (any(greaterThanEqual(first, p.extent))) { return; }
  store_below(first / blockSide, vec4(blockAt(first), 0.0));
}
