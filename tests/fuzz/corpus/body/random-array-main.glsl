#include "shared/random.glsl"

// A hash of each element's place. The last word sets these numbers apart from those of other modules.
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  uvec4 hash = hash4(uvec4(uvec2(p.position), uint(param.seed), 0xa77a9u));
  float value = param.distribution == 0 ? toNormal(hash).x : toUniform(hash).x;
  array_output.data[p.position.y * p.extent.x + p.position.x] = element_output(value);
}
