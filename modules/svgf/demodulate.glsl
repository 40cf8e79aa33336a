// Radiance over albedo, and back: textures are filtered separately from the light that falls on them.
#include "shared/colour.glsl"

bool isBlack(vec3 a) { return max(a.r, max(a.g, a.b)) < 1.0 / 1024.0; }

// The divisor of radiance. If nothing is reflected (emitters, background), radiance is unchanged.
vec3 divisorOf(vec3 albedo) {
  vec3 a = toUnit(albedo);
  return isBlack(a) ? vec3(1.0) : max(a, vec3(0.02));
}

// Renderers write albedo 0, or emission clipped to 1, for emitters. A lamp that is flush with its ceiling has
// the ceiling's depth and normal; its normal is turned around to separate them.
vec3 normalOf(vec3 normal, vec3 albedo) {
  vec3 a = toUnit(albedo);
  return isBlack(a) || min(a.r, min(a.g, a.b)) > 0.98 ? -normal : normal;
}

// The largest colour and deviation that are stored.
const float largestHalf = 65504.0;
const float largestFloat = 1e18;  // its square is a number

// A larger divisor for what wouldn't fit.
vec3 divisorOf(vec3 albedo, vec3 radiance, float largest) {
  vec3 size = abs(radiance);
  float most = max(size.r, max(size.g, size.b));
  return max(divisorOf(albedo), isinf(most) || isnan(most) ? 0.0 : most / largest);
}
