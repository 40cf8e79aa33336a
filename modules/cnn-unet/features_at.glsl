// The network's input at a pixel, extended by reflection at the last column and row, or by zeros.

#include "clean.glsl"
#include "transfer.glsl"

#if CURVE != CURVE_PHOTOGRAPH
vec3 colourAt(ivec2 p) {
#if CURVE == CURVE_SIGNED_UNIT
  return encode(cleanNormal(load_input(p).rgb));
#else
  vec3 colour = exposureOf() * cleanColour(load_input(p).rgb);
  return encode(demodulates ? colour / networkDivisor(load_albedo(p).rgb) : colour);
#endif
}
#endif
vec3 albedoAt(ivec2 p) { return cleanAlbedo(load_albedo(p).rgb); }
vec3 normalAt(ivec2 p) {
  vec3 normal = cleanNormal(load_normal(p));
  return isOidn ? normal * 0.5 + 0.5 : normal;
}
#if channels_depth > 0
float depthAt(ivec2 p) {
  float near = cleanNearness(load_depth(p));
  float mean = array_nearness.data[0];
  return near > 0.0 ? mean / (mean + near) : 1.0;
}
#else
float depthAt(ivec2 p) { return 0.5; }  // unknown depths are at the mean distance
#endif

#if HAS_PAST
vec3 accumulatedAt(ivec2 p) { return load_accumulated(p).rgb; }
vec2 doubtAt(ivec2 p) { return vec2(load_accumulated(p).a, load_relit(p).a); }
vec3 warpedAt(ivec2 p) { return load_warped(p).rgb; }
vec3 relitAt(ivec2 p) { return load_relit(p).rgb; }
float validAt(ivec2 p) { return load_warped(p).a; }
#endif
#if HAS_FILTERED
vec3 filteredAt(ivec2 p) { return encode(exposureOf() * cleanColour(load_filtered(p).rgb)); }
#endif

// fedcb|abcdef|edcba
ivec2 reflected(ivec2 p) {
  ivec2 last = ivec2(inputWidth, inputHeight) - 1;
  return last - abs(last - p % max(2 * last, 1));
}

// `position`: in the tile.
void featuresAt(ivec2 position, out float of[16 * blocks]) {
  ivec2 p = partOrigin() + reflected(position);
  FILL
  if (isOidn && any(greaterThanEqual(position, ivec2(inputWidth, inputHeight)))) {
    for (int i = 0; i < 16 * blocks; ++i) { of[i] = 0.0; }
  }
}
