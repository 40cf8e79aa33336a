// A pixel's surface in this frame, and its place in the previous one: for `temporal` and for `failed`, which
// have the same inputs. The settings are the module's parameters, unless HISTORY is defined before.
#ifndef HISTORY
#define HISTORY param
#endif
#include "svgf/demodulate.glsl"
#include "shared/reproject.glsl"
#include "shared/surface_at.glsl"

vec3 normalAt(ivec2 p) { return has_albedo ? normalOf(load_normal(p), load_albedo(p).rgb) : load_normal(p); }

// The renderer's, if it has one.
vec2 gradientAt(ivec2 p, float depth, ivec2 extent) {
  vec2 told = has_gradient ? load_gradient(p) : vec2(uintBitsToFloat(0x7f800000u));
  bool known = !any(isnan(told)) && !any(isinf(told));
  return known ? told : gradientOfDepths(p, depth, extent);
}

Before before(ivec2 p) {
  vec4 moments = load_last_moments(p);
  return Before(unpackSurface(load_last_geometry(p)), moments.w, moments.z > 0.0);
}

Reprojection historyOf(ivec2 p, Surface now, float id, ivec2 extent) {
  if (!has_motion) { return noHistory; }
  return reprojectTo(vec2(p) + load_motion(p), now, id,
                     Tolerance(HISTORY.depth_tolerance, HISTORY.normal_tolerance), extent);
}
