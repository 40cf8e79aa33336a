// The lens (scene/pose.h), and the places of samples in a pixel.

struct Lens { vec4 eye; vec4 right; vec4 up; vec4 forward; };
Lens lensAt(int first) {
  return Lens(cameraElement(first), cameraElement(first + 1), cameraElement(first + 2),
              cameraElement(first + 3));
}
Lens lensNow() { return lensAt(0); }
Lens lensBefore() { return lensAt(4); }

// The ray through a place of the picture, not of unit length: its depth is 1.
vec3 through(Lens lens, vec2 at, ivec2 extent) {
  vec2 p = fma(at, 2.0 / vec2(extent), vec2(-1.0));
  return fma(lens.right.xyz, p.xxx, fma(lens.up.xyz, -p.yyy, lens.forward.xyz));
}

Ray cameraRay(Lens lens, vec2 at, ivec2 extent, vec2 u) {
  vec3 towards = through(lens, at, extent);
  vec3 from = lens.eye.xyz;
  if (hasLens && lens.eye.w > 0.0) {
    vec2 disk = lens.eye.w * sqrt(u.x) * vec2(cos(2.0 * pi * u.y), sin(2.0 * pi * u.y));
    vec3 shift = fma(unit(lens.right.xyz), disk.xxx, unit(lens.up.xyz) * disk.y);
    from += shift;
    towards = fma(towards, vec3(lens.up.w), -shift);
  }
  return Ray(from, unit(towards), missed);
}

// The place in the picture of a point `from` the lens's eye, in pixels; z: its depth.
vec3 seenAt(Lens lens, vec3 from, ivec2 extent) {
  float depth = along(from, lens.forward.xyz);
  vec2 p = vec2(along(from, lens.right.xyz) / along(lens.right.xyz, lens.right.xyz),
                -along(from, lens.up.xyz) / along(lens.up.xyz, lens.up.xyz)) / depth;
  return vec3(fma(p, vec2(0.5), vec2(0.5)) * vec2(extent), depth);
}

// Giles 2012, Approximating the erfinv Function (GPU Computing Gems, chapter 10).
float inverseErf(float x) {
  float w = -log((1.0 - x) * (1.0 + x));
  bool isTail = w >= 5.0;
  w = isTail ? sqrt(w) - 3.0 : w - 2.5;
  float p = isTail ? -0.000200214257 : 2.81022636e-08;
  p = fma(p, w, isTail ? 0.000100950558 : 3.43273939e-07);
  p = fma(p, w, isTail ? 0.00134934322 : -3.5233877e-06);
  p = fma(p, w, isTail ? -0.00367342844 : -4.39150654e-06);
  p = fma(p, w, isTail ? 0.00573950773 : 0.00021858087);
  p = fma(p, w, isTail ? -0.0076224613 : -0.00125372503);
  p = fma(p, w, isTail ? 0.00943887047 : -0.00417768164);
  p = fma(p, w, isTail ? 1.00167406 : 0.246640727);
  p = fma(p, w, isTail ? 2.83297682 : 1.50140941);
  return p * x;
}

float tent(float u) { return u < 0.5 ? sqrt(2.0 * u) - 1.0 : 1.0 - sqrt(max(0.0, 2.0 - 2.0 * u)); }
// Standard deviation 0.5, cut off at 1.5, which is three of them.
float gaussian(float u) { return 0.70710678 * inverseErf(0.99730020 * fma(u, 2.0, -1.0)); }

// From the pixel's centre; all samples have equal weight.
vec2 filterOffset(int kind, vec2 u) {
  switch (kind) {
    case 0: return vec2(0.0);
    case 1: return u - 0.5;
    case 2: return vec2(tent(u.x), tent(u.y));
    default: return vec2(gaussian(u.x), gaussian(u.y));
  }
}
