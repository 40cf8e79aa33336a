// Mean luminance of the clean colours of each block of pixels, and the sum of 1 / depth in it; blocks at the
// right and the bottom may be smaller, or all may be of nearly equal size. A workgroup each.

#include "clean.glsl"

shared vec2 partial[64];

void run(Pixel unused) {
  int local = int(gl_LocalInvocationIndex);
  ivec2 origin = partOrigin(), own = ivec2(gl_WorkGroupID.xy);
#if HAS_EQUAL_BLOCKS
  // Blocks are smaller than `block`, so a part's first ones lie before the place where others begin.
  own += origin / block;
  ivec2 begin = ivec2(uvec2(own) * uvec2(size) / blocks), end = ivec2(uvec2(own + 1) * uvec2(size) / blocks);
  if (any(greaterThanEqual(own, ivec2(blocks)))) { end = begin; }
#else
  ivec2 begin = origin + own * block, end = min(begin + block, extent_input);
  own = begin / block;
#endif
  ivec2 sides = hasPixels(begin, end - 1) ? max(end - begin, 0) : ivec2(0);
  vec2 sum = vec2(0.0);
  for (int i = local; i < sides.x * sides.y; i += 64) {
    ivec2 at = begin + ivec2(i % sides.x, i / sides.x);
    sum.x += dot(cleanColour(load_input(at).rgb), luminance);
    if (has_depth) { sum.y += cleanNearness(load_depth(at)); }
  }
  partial[local] = sum;
  barrier();
  for (int step_ = 32; step_ > 0; step_ /= 2) {
    if (local < step_) { partial[local] += partial[local + step_]; }
    barrier();
  }
  if (local == 0 && sides.x * sides.y > 0) {
    int at = 2 * (own.y * int(blocks.x) + own.x);
    array_sums.data[at] = partial[0].x / float(sides.x * sides.y);
    array_sums.data[at + 1] = partial[0].y;
  }
}
