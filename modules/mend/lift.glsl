// Colours are raised smoothly, so that filters find no edges that aren't there.
#include "shared/blocks.glsl"
#include "shared/colour.glsl"

vec4 belowAt(ivec2 block) { return load_below(clamp(block, ivec2(0), extent_below - 1)); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Between b = betweenBlocks(p.position);
  vec4 own = asColour(load_input(p.position));
  vec3 raised = BETWEEN_BLOCKS(belowAt, b).rgb;
  if (param.lift) { raised = max(raised, -own.rgb); }  // rounding may leave less
  Inputs i;
  narrow(vec4(own.rgb + raised, own.a), i.input);
  store_output(p.position, i.input);
  store_rest(p.position, vec4(load_lamps(p.position).rgb - raised, 0.0));
}
