#include "shared/colour.glsl"

// Ratios are interpolated between the centres of blocks.

vec3 ratioAt(ivec2 block) { return load_ratio(clamp(block, ivec2(0), extent_ratio - 1)).rgb; }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec2 place = (vec2(p.position) + 0.5) / 8.0 - 0.5;
  ivec2 first = ivec2(floor(place));
  vec2 share = place - vec2(first);
  vec3 above = mix(ratioAt(first), ratioAt(first + ivec2(1, 0)), share.x);
  vec3 below = mix(ratioAt(first + ivec2(0, 1)), ratioAt(first + 1), share.x);
  vec3 ratio = mix(above, below, share.y);
  vec4 own = asColour(load_input(p.position));
  Inputs i;
  narrow(vec4(own.rgb * ratio, own.a), i.input);
  store_output(p.position, i.input);
}
