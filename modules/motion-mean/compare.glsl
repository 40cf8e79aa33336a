// Sums over a block: luminance of light in this frame and in earlier ones, the former's squares, and pixels that
// have both; then their numbers of earlier samples.
#include "shared/blocks.glsl"

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  ivec2 first = blockSide * p.position, last = min(first + blockSide, extent_lights) - 1;
  vec4 sum = vec4(0.0);
  float samples = 0.0;
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      vec4 lights = load_lights(ivec2(x, y));
      if (lights.z > 0.0) {
        sum += vec4(lights.xy, lights.x * lights.x, 1.0);
        samples += lights.z;
      }
    }
  }
  store_sums(p.position, sum);
  store_samples(p.position, samples);
}
