// A pixel's other colours are at the same place, so they take the part of a mosaic's neighbours.
#include "shared/rebuilt.glsl"

vec4 withRgb(vec4 v, vec3 rgb) { return vec4(rgb, v.a); }
vec3 withRgb(vec3 v, vec3 rgb) { return rgb; }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) return;
  vec3 gains = vec3(param.red, param.green, param.blue);
  vec3 v = load_state(p.position).rgb;
  vec3 full = vec3(greaterThanEqual(v, nearlyFull * gains));
  vec3 result = v;
  // At most once: processors leave a loop that no pixel takes.
  for (int turns = any(greaterThan(full, vec3(0.0))) ? 1 : 0; turns > 0; --turns) {
    vec4 light = lightAround(p.position, turns);
    for (int c = 0; c < 3 * turns; ++c) {
      vec3 isOwn = vec3(equal(ivec3(c), ivec3(0, 1, 2)));
      vec3 isOther = 1.0 - isOwn;
      float value = dot(isOwn, v);
      float whole = rebuilt(gains, Near(v, full, isOther, isOther * (1.0 - full)), light, c, value);
      result += dot(isOwn, full) * (whole - value) * isOwn;
    }
  }
  store_output(p.position, withRgb(load_state(p.position), result));
}
