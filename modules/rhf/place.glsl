// The means of patches put in their places; where patches overlap, their mean: Delbracio et al. 2014, section
// 3.

#extension GL_EXT_control_flow_attributes : enable
#include "store.glsl"

const int around = 2 * PATCH + 1;

void run(Pixel pixel) {
  ivec2 x = pixel.position;
  if (!contains(x)) { return; }
  vec3 sum = vec3(0.0);
  float count = 0.0;
  [[unroll]] for (int e = 0; e < around * around; ++e) {
    ivec2 k = ivec2(e % around, e / around) - PATCH;
    ivec2 p = x - k;
    if (!covers(p, k)) { continue; }
    int at = p.y * width + p.x;
    vec3 mean = vec3(at_patches(3 * e, at), at_patches(3 * e + 1, at), at_patches(3 * e + 2, at));
    if (isFinite(mean)) {
      sum += mean;
      count += 1.0;
    }
  }
  store(x, count > 0.0 ? sum / count : colourAt(x).rgb);
}
