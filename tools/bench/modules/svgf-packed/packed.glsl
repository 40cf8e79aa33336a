// A G-buffer as engines pack it: normal, logarithm of depth, albedo on a curve, and number of the material;
// its roughness and metalness in halves. Here there is one material, so that the filter is atrous-guided's.
#include "shared/geometry.glsl"

const float nearest = 2.3283064e-10;  // 2^-32
const float farthest = 1e10;
const float depthSteps = 33554432.0;  // of a factor of two
const float curve = 2.2;

uint encodeDepth(float depth) {
  float d = isnan(depth) ? farthest : clamp(depth, nearest, farthest);
  return uint((log2(d) + 32.0) * depthSteps);
}

float decodeDepth(uint word) { return exp2(fma(float(word), 1.0 / depthSteps, -32.0)); }

uvec4 packGeometry(vec3 normal, float depth) {
  return uvec4(encodeNormal(normal), encodeDepth(depth), 0u, 0u);
}

vec4 unpackGeometry(uvec4 word) { return vec4(decodeNormal(word.x), decodeDepth(word.y)); }

// Brightness of the albedo and number; roughness and metalness.
vec2 unpackMaterial(uvec4 geometry, uvec2 material) {
  vec3 albedo = pow(unpackUnorm4x8(geometry.z).rgb, vec3(curve));
  vec2 surface = unpackHalf2x16(material.x) + unpackHalf2x16(material.y);
  return vec2(albedo.r + albedo.g + albedo.b + surface.x, float(geometry.w) + surface.y);
}
