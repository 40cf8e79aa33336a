// What a pixel is in this frame, and where it was in the last one: for `temporal` and for `failed`, which have the same inputs.
#include "demodulate.glsl"
#include "shared/reproject.glsl"
#include "shared/surface_at.glsl"

vec3 normalAt(ivec2 p) { return has_albedo ? normalOf(load_normal(p), load_albedo(p)) : load_normal(p); }

Before before(ivec2 p) {
  vec4 moments = load_last_moments(p);
  return Before(unpackSurface(load_last_geometry(p)), moments.w, moments.z > 0.0);
}

Reprojection historyOf(ivec2 p, Surface now, float id, ivec2 extent) {
  if (!has_motion) { return noHistory; }
  return reprojectTo(vec2(p) + load_motion(p), now, id, Tolerance(param.depth_tolerance, param.normal_tolerance), extent);
}
