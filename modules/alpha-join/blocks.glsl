// 0 to 1: whether colours around a block are noisy. In the smoothest block a difference from the noisy picture is
// noise, not an edge that the filter has blurred.
#include "shared/colour.glsl"

const int radius = 2;
const vec2 noisy = vec2(0.02, 0.04);  // standard deviation over mean: where it is none, and where it surely is

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float least = 0.0;
  bool isLit = false;
  ivec2 first = max(p.position - radius, ivec2(0)), last = min(p.position + radius, p.extent - 1);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      vec4 light = load_light(ivec2(x, y));
      float sum = dot(light.rgb, vec3(1.0));
      if (!(sum > 0.0)) { continue; }
      float squares = dot(load_squares(ivec2(x, y)).rgb, vec3(1.0));
      float deviation = sqrt(3.0 * light.a * squares) / sum;
      least = isLit ? min(least, deviation) : deviation;
      isLit = true;
    }
  }
  store_noisiness(p.position, smoothstep(noisy.x, noisy.y, least));
}
