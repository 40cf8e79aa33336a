#include "shared/blocks.glsl"
#include "shared/colour.glsl"

const int radius = 3;

vec4 noisinessAt(ivec2 block) { return vec4(load_noisiness(clamp(block, ivec2(0), extent_noisiness - 1))); }

// Whether alpha is 0, or 1, all around. Cycles' samples without cover have 6e-8 now and then.
bool isEven(ivec2 at) {
  vec2 range = vec2(1.0, 0.0);
  ivec2 first = max(at - radius, ivec2(0)), last = min(at + radius, extent_noisy - 1);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      float alpha = load_noisy(ivec2(x, y)).a;
      range = vec2(min(range.x, alpha), max(range.y, alpha));
    }
  }
  return range.x == 1.0 || range.y < 1e-6;
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float share = BETWEEN_BLOCKS(noisinessAt, betweenBlocks(p.position)).x;
  store_share(p.position, share > 0.0 && !isEven(p.position) ? share : 0.0);
}
