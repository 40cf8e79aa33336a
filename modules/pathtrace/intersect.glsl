// Rays against boxes, triangles and the sphere. Hits have 0 < t < limit.
//
// Triangles: Woop, Benthin, Wald 2013, Watertight Ray/Triangle Intersection. Corners are projected along the
// ray, each by arithmetic that depends only on it and the ray, so that neighbours agree about the edge
// between them. We project onto two axes across the ray instead of shearing along its largest coordinate, so
// no component is selected by index. Boxes: Kay, Kajiya 1986; bounds are widened by the rounding of their
// distances (Ize 2013, Robust BVH Ray Traversal). The sphere: Haines et al. 2019, Precision Improvements for
// Ray/Sphere Intersection (Ray Tracing Gems, chapter 7).

struct Ray { vec3 origin; vec3 direction; float limit; };

// Distances to planes along the axes: of x, inverse.x * x + near.x for those that the ray enters by.
struct Slabs { vec3 inverse; vec3 near; vec3 far; };

Slabs slabsOf(vec3 origin, vec3 direction) {
  const float least = 1e-18;  // stands for 0, because 0 times the inverse of 0 is NaN
  bvec3 isZero = lessThan(abs(direction), vec3(least));
  vec3 inverse = 1.0 / mix(direction, vec3(least), isZero);
  vec3 offset = -origin * inverse;
  vec3 rounding = abs(offset) * 3e-7;
  return Slabs(inverse, offset - rounding, offset + rounding);
}

// The distance at which the ray enters a box, or one beyond every limit.
const float missed = 3e38;
float enterBox(Slabs s, vec3 low, vec3 high, float limit) {
  bvec3 falls = lessThan(s.inverse, vec3(0.0));
  vec3 near = fma(mix(low, high, falls), s.inverse, s.near);
  vec3 far = fma(mix(high, low, falls), s.inverse, s.far);
  float enter = max(max(near.x, near.y), max(near.z, 0.0));
  float leave = min(min(far.x, far.y), min(far.z, limit));
  return enter <= leave * 1.000002 ? enter : missed;
}

// Axes to project along a ray: x and y across it, z along it, in units of its direction.
struct Axes { vec3 x; vec3 y; vec3 z; };
Axes axesOf(vec3 direction) {
  float inverse = 1.0 / along(direction, direction);
  mat3 frame = frameOf(direction * sqrt(inverse));
  return Axes(frame[0], frame[1], direction * inverse);
}
vec3 project(Axes a, vec3 v) { return vec3(along(a.x, v), along(a.y, v), along(a.z, v)); }

// Returns the weights of the second and third corner, and the distance; no hit: a distance of 0.
vec3 meetTriangle(Axes axes, vec3 origin, vec3 v0, vec3 v1, vec3 v2, float limit) {
  vec3 a = project(axes, v0 - origin);
  vec3 b = project(axes, v1 - origin);
  vec3 c = project(axes, v2 - origin);
  // Not fma, so that these have the same values, with the other sign, for the triangle on the other side of
  // an edge.
  vec3 w = vec3(c.x * b.y - c.y * b.x, a.x * c.y - a.y * c.x, b.x * a.y - b.y * a.x);
  float sum = w.x + w.y + w.z;
  bool isInside = (all(greaterThanEqual(w, vec3(0.0))) || all(lessThanEqual(w, vec3(0.0)))) && sum != 0.0;
  float t = fma(w.x, a.z, fma(w.y, b.z, w.z * c.z)) / sum;
  return isInside && t > 0.0 && t < limit ? vec3(w.yz / sum, t) : vec3(0.0);
}

// The sphere of radius 1 around 0: the distance, or 0.
float meetSphere(vec3 origin, vec3 direction, float limit) {
  float a = along(direction, direction);
  float b = -along(origin, direction);
  vec3 nearest = fma(direction, vec3(b / a), origin);
  float room = 1.0 - along(nearest, nearest);
  if (!(room >= 0.0)) { return 0.0; }
  float q = b + (b >= 0.0 ? 1.0 : -1.0) * sqrt(room * a);
  float c = along(origin, origin) - 1.0;
  float t0 = min(c / q, q / a);
  float t1 = max(c / q, q / a);
  float t = t0 > 0.0 ? t0 : t1;
  return t > 0.0 && t < limit ? t : 0.0;
}
