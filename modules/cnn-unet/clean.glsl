// Planes without NaN, infinities and impossible values.

vec3 cleanBetween(vec3 v, float least_, float most) {
  return mix(clamp(v, least_, most), vec3(0.0), isnan(v));
}
vec3 cleanColour(vec3 v) { return cleanBetween(mix(v, vec3(65504.0), greaterThan(v, vec3(1e38))), 0.0, 1e30); }
vec3 cleanAlbedo(vec3 v) { return cleanBetween(v, 0.0, 1.0); }
vec3 cleanNormal(vec3 v) { return cleanBetween(v, -1.0, 1.0); }
// 1 / depth; 0: infinitely far.
float cleanNearness(float depth) { return depth > 0.0 && !isinf(depth) ? 1.0 / depth : 0.0; }
