// Radiance over albedo, and back: textures are filtered apart from the light that falls on them.
#include "shared/colour.glsl"

bool isBlack(vec3 a) { return max(a.r, max(a.g, a.b)) < 1.0 / 1024.0; }

// What radiance is divided by. Where nothing is reflected (emitters, background), radiance stays as it is.
vec3 divisorOf(vec3 albedo) {
  vec3 a = toUnit(albedo);
  return isBlack(a) ? vec3(1.0) : max(a, vec3(0.02));
}

// Renderers write albedo 0, or emission clipped to 1, for what emits. A lamp that is flush with its ceiling has depth and normal of
// that; turned around, its normal tells it apart.
vec3 normalOf(vec3 normal, vec3 albedo) {
  vec3 a = toUnit(albedo);
  return isBlack(a) || min(a.r, min(a.g, a.b)) > 0.98 ? -normal : normal;
}

const float largestHalf = 65504.0;
