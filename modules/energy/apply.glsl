#include "shared/blocks.glsl"
#include "shared/colour.glsl"

vec4 ratioAt(ivec2 block) { return load_ratio(clamp(block, ivec2(0), extent_ratio - 1)); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Between b = betweenBlocks(p.position);
  vec4 own = asColour(load_input(p.position));
  Inputs i;
  narrow(vec4(own.rgb * BETWEEN_BLOCKS(ratioAt, b).rgb, own.a), i.input);
  store_output(p.position, i.input);
}
