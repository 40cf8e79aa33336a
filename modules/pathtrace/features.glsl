// The hit of one ray through the pixel's centre: depth and its gradient, the object, and its place in the
// previous frame.

#include "scene.glsl"
#include "intersect.glsl"
#include "traverse.glsl"
#include "surface.glsl"
#include "camera.glsl"

const float noDepth = 1e10;

// From this frame's picture to the previous one, by vectors from both eyes: if nothing moves, it is exactly
// 0.
vec2 motionOf(vec3 now, vec3 before, ivec2 extent) {
  vec3 there = seenAt(lensBefore(), before, extent);
  return there.z > 0.0 ? there.xy - seenAt(lensNow(), now, extent).xy : vec2(0.0);
}

// Depth changes as rays meet the plane through the hit: the derivative by the ray's direction.
vec2 gradientOf(float depth, vec3 normal, vec3 ray, ivec2 extent) {
  Lens lens = lensNow();
  vec2 across = vec2(along(normal, lens.right.xyz), -along(normal, lens.up.xyz)) * 2.0 / vec2(extent);
  return clamp(-depth * across / along(normal, ray), vec2(-noDepth), vec2(noDepth));
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  Lens lens = lensNow();
  vec3 ray = through(lens, vec2(p.position) + 0.5, p.extent);
  Ray sent = Ray(lens.eye.xyz, unit(ray), missed);
  Hit hit;
  if (!closestHit(sent, hit)) {
    store_depth(p.position, noDepth);
    store_gradient(p.position, vec2(0.0));
    store_id(p.position, 0u);
    store_motion(p.position, motionOf(ray, ray, p.extent));
    return;
  }
  Place place = placeOf(sent, hit);
  float depth = along(place.point - lens.eye.xyz, lens.forward.xyz);
  vec3 before = place.point;
  if (hasObjects) { before = mapPoint(toWorldBefore(place.object), place.local); }
  store_depth(p.position, depth);
  store_gradient(p.position, gradientOf(depth, place.geometric, ray, p.extent));
  store_id(p.position, place.id);
  store_motion(p.position, motionOf(place.point - lens.eye.xyz, before - lensBefore().eye.xyz, p.extent));
}
