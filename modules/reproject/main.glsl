#include "shared/colour.glsl"
#include "shared/finite.glsl"
#include "shared/reproject.glsl"
#include "shared/surface_at.glsl"

vec3 normalAt(ivec2 p) { return load_normal(p); }
vec2 gradientAt(ivec2 p, float depth, ivec2 extent) { return gradientOfDepths(p, depth, extent); }

// `seen`: length, and the id.
Before before(ivec2 p) {
  return Before(unpackSurface(load_last_geometry(p)), load_last_seen(p).y, isFinite(asColour(load_input(p))));
}

Reprojection historyOf(ivec2 p, uvec2 geometry, float id, ivec2 extent) {
  vec2 motion = load_motion(p);
  float most = max(abs(motion.x), abs(motion.y));
  if (param.reach > 0 && !(most <= float(param.reach))) { return noHistory; }
  return reprojectTo(vec2(p) + motion, unpackSurface(geometry), id,
                     Tolerance(param.depth_tolerance, param.normal_tolerance), extent);
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  uvec2 geometry = packedSurface(p.position, p.extent);
  float id = idAt(p.position);
  Reprojection r = historyOf(p.position, geometry, id, p.extent);
  vec4 sum = vec4(0.0);
  float frames = 0.0;
  for (int k = 0; k < 4; ++k) {
    if (r.weights[k] > 0.0) {
      ivec2 at = tapPosition(r.base, k, p.extent);
      sum = fma(vec4(r.weights[k]), asColour(load_input(at)), sum);
      frames = fma(r.weights[k], load_last_seen(at).x, frames);
    }
  }
  float length = r.found ? min(wholeLength(frames) + 1.0, float(param.history)) : 1.0;
  Inputs i;
  narrow(sum, i.input);
  store_output(p.position, i.input);
  store_length(p.position, length);
  store_mask(p.position, r.found ? 0.0 : 1.0);
  store_geometry(p.position, geometry);
  store_seen(p.position, vec2(length, id));
}
