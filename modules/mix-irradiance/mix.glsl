#include "shared/blocks.glsl"
#include "shared/colour.glsl"

vec4 shareAt(ivec2 block) { return vec4(load_share(clamp(block, ivec2(0), extent_share - 1)), 0.0, 0.0); }

// In logarithms, so that a bright speck of one picture counts little.
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 own = asColour(load_input(p.position));
  vec3 other = asColour(load_other(p.position)).rgb;
  Between b = betweenBlocks(p.position);
  vec2 share = BETWEEN_BLOCKS(shareAt, b).xy;
  float dark = share.y + 1e-20;
  vec3 mixed = max(exp(mix(log(own.rgb + dark), log(other + dark), share.x)) - dark, 0.0);
  Inputs i;
  narrow(vec4(isLight(own.rgb) && isLight(other) ? mixed : own.rgb, own.a), i.input);
  store_output(p.position, i.input);
}
