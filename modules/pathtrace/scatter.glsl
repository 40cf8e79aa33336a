// The scattering of surfaces. Opaque surfaces have a value and density for each direction; mirrors and glass
// have one direction.

#include "ggx.glsl"

// Malley's method: uniform on the disk, lifted; density cosine / pi.
vec3 sampleCosine(vec2 u) {
  float r = sqrt(u.x);
  float angle = 2.0 * pi * u.y;
  return vec3(r * cos(angle), r * sin(angle), sqrt(max(0.0, 1.0 - u.x)));
}

// An opaque surface seen from one side.
struct Opaque {
  mat3 frame;  // z is the shading normal
  vec3 outward;
  bool isGlossy;
  Glossy glossy;
};

Opaque opaqueAt(Place place, Material m, vec3 towardsEye) {
  Opaque o;
  o.frame = frameOf(place.shading);
  o.outward = toFrame(o.frame, towardsEye);
  o.isGlossy = hasGlossy && m.surface == surfaceGlossy;
  if (hasGlossy && o.isGlossy) { o.glossy = glossyOf(m, o.outward); }
  return o;
}

// The answer to a direction in the world, for albedo 1: value times cosine, density by solid angle; 0 below
// the surface.
vec2 answer(Opaque o, Place place, vec3 towards) {
  vec3 inward = toFrame(o.frame, towards);
  if (!(inward.z > 0.0 && along(towards, place.geometric) > 0.0)) { return vec2(0.0); }
  if (hasGlossy && o.isGlossy) { return answerGlossy(o.glossy, o.outward, inward); }
  return vec2(inward.z / pi);
}

vec3 sampleOpaque(Opaque o, vec2 u, float choice) {
  vec3 inward = sampleCosine(u);
  if (hasGlossy && o.isGlossy && choice < o.glossy.share) { inward = sampleGlossy(o.glossy, o.outward, u); }
  return fromFrame(o.frame, inward);
}

// Fresnel's equations for unpolarised light at a smooth dielectric; `ratio`: refractive index on this side
// over that behind; `behind`: the cosine there.
float fresnel(float cosine, float behind, float ratio) {
  float across = fma(ratio, cosine, -behind) / fma(ratio, cosine, behind);
  float within = fma(ratio, behind, -cosine) / fma(ratio, behind, cosine);
  return 0.5 * fma(across, across, within * within);
}

// The direction in which mirrors and glass send light, and whether it is on the proper side of the surface;
// otherwise it carries no light.
struct Specular { vec3 towards; bool carries; bool crosses; };
Specular scatterSpecular(Place place, Material m, vec3 towardsEye, float choice) {
  float cosine = min(along(towardsEye, place.shading), 1.0);
  vec3 mirrored = unit(fma(place.shading, vec3(2.0 * cosine), -towardsEye));
  if (hasGlass && m.surface == surfaceGlass) {
    float ratio = place.isFront ? 1.0 / m.ior : m.ior;
    float behind2 = 1.0 - ratio * ratio * (1.0 - cosine * cosine);
    float behind = sqrt(max(behind2, 0.0));
    if (behind2 > 0.0 && choice >= fresnel(cosine, behind, ratio)) {
      vec3 through = unit(fma(place.shading, vec3(fma(ratio, cosine, -behind)), -ratio * towardsEye));
      return Specular(through, along(through, place.geometric) < 0.0, true);
    }
  }
  return Specular(mirrored, along(mirrored, place.geometric) > 0.0, false);
}
