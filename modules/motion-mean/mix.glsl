#include "shared/blocks.glsl"
#include "shared/colour.glsl"
#include "shared/finite.glsl"

vec4 weightAt(ivec2 block) { return vec4(load_weight(clamp(block, ivec2(0), extent_weight - 1))); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 own = asColour(load_input(p.position)), past = load_past(p.position);
  Between b = betweenBlocks(p.position);
  bool there = isFinite(own.rgb);
  float count = there ? BETWEEN_BLOCKS(weightAt, b).x * past.a : past.a;
  vec3 mean = there ? own.rgb + count / (1.0 + count) * (past.rgb - own.rgb) : past.rgb;
  Inputs i;
  narrow(past.a > 0.0 ? vec4(mean, own.a) : own, i.input);
  store_output(p.position, i.input);
  store_count(p.position, there ? 1.0 + count : count);
}
