#include "shared/blocks.glsl"
#include "shared/colour.glsl"

// Between the blocks' centres. A block that is darker than the pixel counts less: a lamp has the ratio of its own block.
vec3 ratioFor(vec3 own, Between b) {
  vec3 sum = vec3(0.0), weights = vec3(0.0);
  for (int k = 0; k < 4; ++k) {
    ivec2 next = ivec2(k % 2, k / 2);
    ivec2 block = clamp(b.first + next, ivec2(0), extent_ratio - 1);
    vec2 share = mix(1.0 - b.share, b.share, vec2(next));
    vec4 light = load_light(block);
    vec3 w = share.x * share.y * clamp(light.rgb / max(light.a * own, 1e-30), 1e-20, 1.0);
    sum = fma(w, load_ratio(block).rgb, sum);
    weights += w;
  }
  return sum / weights;
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 own = asColour(load_input(p.position));
  Inputs i;
  narrow(vec4(own.rgb * ratioFor(own.rgb, betweenBlocks(p.position)), own.a), i.input);
  store_output(p.position, i.input);
}
