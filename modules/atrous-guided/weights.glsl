// Edge-stopping weights of svgf's levels (Schied et al. 2017, section 4.4), as base-two logarithms so that
// they add up to one exponential a tap. We differ as Dolp et al. 2024 do (section 4.2): the variance isn't
// blurred inside the levels. The depth term uses a slope in proportion to the depth instead of its
// screen-space gradient, which only some renderers write.
#include "shared/geometry.glsl"

// 1 / distance of two pixels, in steps; never used at the centre, where depths are equal.
const float inverseDistance[4][4] = float[][](
    float[](1.0, 1.0, 0.5, 0.33333333), float[](1.0, 0.70710678, 0.4472136, 0.31622777),
    float[](0.5, 0.4472136, 0.35355339, 0.2773501), float[](0.33333333, 0.31622777, 0.2773501, 0.23570226));

float luminance(vec3 c) { return fma(c.r, 0.2126, fma(c.g, 0.7152, c.b * 0.0722)); }

vec4 decodeGeometry(uvec2 g) { return vec4(decodeNormal(g.x), uintBitsToFloat(g.y)); }

// log2(e) divided by the allowed depth difference one step away.
float depthFalloff(float depth, int dilation) {
  return 1.44269504 / fma(param.sigma_depth * abs(depth), float(dilation), 1e-4);
}

float log2GeometryWeight(vec4 centre, float falloff, vec4 tap, Offset o) {
  float cosine = max(fma(centre.x, tap.x, fma(centre.y, tap.y, centre.z * tap.z)), 1e-6);
  float normals = fma(param.sigma_normal, log2(cosine), o.log2Weight);
  float inverse = inverseDistance[abs(o.steps.y)][abs(o.steps.x)];
  return fma(-abs(tap.w - centre.w), falloff * inverse, normals);
}
