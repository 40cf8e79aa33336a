// Edge-stopping weights (Schied et al. 2017, section 4.4), as base-two logarithms so that they add up to one
// exponential a tap.
#include "shared/surface.glsl"

// 1 / distance of two pixels, in steps; never used at the centre, where depths are equal.
const float inverseDistance[4][4] = float[][](
    float[](1.0, 1.0, 0.5, 0.33333333), float[](1.0, 0.70710678, 0.4472136, 0.31622777),
    float[](0.5, 0.4472136, 0.35355339, 0.2773501), float[](0.33333333, 0.31622777, 0.2773501, 0.23570226));

const float log2e = 1.44269504;

// log2(e) divided by the allowed depth difference one step away.
float depthFalloff(float slope, int dilation) {
  return log2e / (param.sigma_depth * slope * float(dilation));
}

// The weight by normals and depths, which are vec4(normal, depth).
float log2GeometryWeight(vec4 centre, float falloff, vec4 tap, ivec2 steps, float log2Weight) {
  float cosine = max(fma(centre.x, tap.x, fma(centre.y, tap.y, centre.z * tap.z)), 1e-6);
  float normals = fma(param.sigma_normal, log2(cosine), log2Weight);
  float inverse = inverseDistance[abs(steps.y)][abs(steps.x)];
  return fma(-abs(tap.w - centre.w), falloff * inverse, normals);
}
